import type { JsonValue } from '../../../catalog/json.ts'
import { findProblems } from '../../schema/find-problems.ts'
import type { Static } from '../../schema/type.ts'
import { Type } from '../../schema/type.ts'

const options = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean({ description: '`false` is the same as mode `direct`. Default true.' })),
    mode: Type.Optional(
      Type.Enum(['code', 'tools', 'direct'], {
        description:
          '`code`: one tool that runs a program; `tools`: search, describe and call; `direct`: every tool. Default `code`.',
      }),
    ),
    codeTimeoutMs: Type.Optional(
      Type.Integer({ minimum: 1000, maximum: 60_000, description: 'Wall clock of one program, in ms. Default 10000.' }),
    ),
    searchDefaultLimit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 50, description: 'Hits of a search that names no limit. Default 8.' }),
    ),
    maxSearchLimit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 50, description: 'Most hits of one search; more is clamped. Default 20.' }),
    ),
  },
  { additionalProperties: false },
)

export const toolSearchSchema = Type.Union([Type.Boolean(), options], {
  default: true,
  'x-expected':
    'true, false or an object such as { mode: "tools" }, with any of "mode" ("code", "tools", "direct"), "enabled", "codeTimeoutMs", "searchDefaultLimit", "maxSearchLimit"',
  description: 'How models are shown the tools: `true` is mode `code`, `false` is mode `direct`, or an object.',
})

/** Whether what stands in the file is one; it holds no secret to hide, and no reference. */
export function isToolSearchSetting(
  value: JsonValue | undefined,
): value is Static<typeof toolSearchSchema> & JsonValue {
  if (value === undefined) return false
  return findProblems(toolSearchSchema, value, { quote: () => '', isOpen: () => false }).length === 0
}
