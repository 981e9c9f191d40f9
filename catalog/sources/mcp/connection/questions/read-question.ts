import type { JsonObject } from '../../../../json.ts'
import { isJsonObject } from '../../../../json.ts'
import type { ToolQuestion } from '../../../../question.ts'
import { QUESTION_MAX_LENGTH } from '../../limits.ts'

/** What `elicitation/create` asks; undefined for what cannot be put before anybody. */
export function readElicitation(params: unknown): ToolQuestion | undefined {
  const asked = bounded(params)
  if (asked === undefined) return undefined
  const { mode, message, requestedSchema: schema, url } = asked
  if (typeof message !== 'string') return undefined
  if (mode === 'url') return typeof url === 'string' ? { kind: 'url', message, url } : undefined
  return { kind: 'form', message, schema: isJsonObject(schema) ? schema : {} }
}

/** What `sampling/createMessage` asks. */
export function readSampling(params: unknown): ToolQuestion | undefined {
  const asked = bounded(params)
  return asked && { kind: 'sample', params: asked }
}

/** One that is larger than anybody reads is not looked at. */
function bounded(params: unknown): JsonObject | undefined {
  return isJsonObject(params) && JSON.stringify(params).length <= QUESTION_MAX_LENGTH ? params : undefined
}
