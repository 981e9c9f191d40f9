import type { JsonValue } from '../../../../catalog/json.ts'
import type { ToolDefinition } from '../../../../catalog/tool.ts'
import type { ToolChoice } from '../../../providers/provider.ts'
import { Type } from '../../../schema/type.ts'
import { HttpError } from '../../../http/http-error.ts'
import { hasShape } from './check-shape.ts'

/** What the client has to do with its own tools in this turn. */
export interface ReadChoice {
  /** Those that may be called. */
  readonly clientTools: readonly ToolDefinition[]
  readonly toolChoice?: ToolChoice
}

const Named = Type.Object({
  type: Type.Enum(['function']),
  function: Type.Object({ name: Type.String({ minLength: 1 }) }),
})
const Allowed = Type.Object({
  type: Type.Enum(['allowed_tools']),
  allowed_tools: Type.Object({
    mode: Type.Enum(['auto', 'required']),
    tools: Type.Array(Named, { minItems: 1 }),
  }),
})
const WORDS = ['auto', 'none', 'required'] as const

/**
 * Reads `tool_choice`. What it allows of the client's tools is all that is shown of them: not every provider knows
 * `allowed_tools`, and each knows a list of tools.
 * @throws {HttpError} 400 that names the field
 */
export function readToolChoice(choice: JsonValue | undefined, tools: readonly ToolDefinition[]): ReadChoice {
  if (choice === undefined) return { clientTools: tools }
  const word = WORDS.find((each) => each === choice)
  if (word !== undefined) return { clientTools: tools, toolChoice: word }
  const names = new Set(tools.map((tool) => tool.name))
  if (hasShape(Named, choice)) {
    refuseUnknown(choice.function.name, 'tool_choice.function.name', names)
    return { clientTools: tools, toolChoice: choice }
  }
  // The shape's own words would name the last of five forms.
  if (!hasShape(Allowed, choice)) throw refusal('tool_choice', `must be ${FORMS}`)
  const { mode, tools: listed } = choice.allowed_tools
  for (const [index, each] of listed.entries())
    refuseUnknown(each.function.name, `tool_choice.allowed_tools.tools[${index}].function.name`, names)
  const allowed = new Set(listed.map((each) => each.function.name))
  return { clientTools: tools.filter((tool) => allowed.has(tool.name)), toolChoice: mode }
}

const FORMS =
  '"auto", "none", "required", { "type": "function", "function": { "name": … } } or { "type": "allowed_tools", "allowed_tools": { "mode": "auto" or "required", "tools": [{ "type": "function", "function": { "name": … } }] } }'

function refuseUnknown(name: string, param: string, names: ReadonlySet<string>): void {
  if (names.has(name)) return
  const known = names.size === 0 ? 'it has none' : [...names].join(', ')
  throw refusal(param, `"${name}" is none of the tools of this request (${known})`)
}

function refusal(param: string, what: string): HttpError {
  return new HttpError('invalid_request', `${param} ${what}`, { param })
}
