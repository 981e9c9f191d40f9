import type { JsonValue } from '../../catalog/json.ts'
import { readJsonObject } from '../../catalog/read-json.ts'
import { TOOL_ID_MAX_LENGTH } from '../../catalog/limits.ts'
import type { Tool } from '../../catalog/tool.ts'
import type { View } from '../../catalog/view.ts'
import { HINT_ARGUMENTS_MAX_LENGTH } from '../limits.ts'
import type { ModelCall } from './presentation.ts'

/**
 * The tool that a model means by the name of a function that it was not shown: an id, a name, `owner__name` as other
 * bridges spell it, `tools.owner.name`. Only ever for a hint: nothing is called by a name that was guessed.
 */
export function toolMeant(view: View, call: ModelCall): Tool | undefined {
  const name = call.name.trim().slice(0, TOOL_ID_MAX_LENGTH)
  const exact = view.resolve(name)
  if (exact.kind === 'found') return exact.tool
  const shown = view.tools.find((tool) => tool.safeName === name)
  if (shown !== undefined) return shown
  for (const separator of ['__', '.', ':', '/']) {
    const [owner, last] = name.split(separator).slice(-2)
    if (owner === undefined || last === undefined) continue
    const resolution = view.resolvePath(owner, last)
    if (resolution.kind === 'found') return resolution.tool
  }
  return undefined
}

/** The line of a program that does what a model tried to do by calling a function that it does not have. */
export function programInstead(view: View, call: ModelCall): string {
  const args = argumentsOf(call)
  const part = (...keys: readonly string[]): JsonValue | undefined =>
    keys.map((key) => args[key]).find((value) => value !== undefined && value !== null)
  const asked = /^(?:tools?[._])?(search|describe|call)$/.exec(call.name.trim())?.[1]
  const id = part('id', 'toolId', 'tool', 'name')
  if (asked === 'search') return `return await tools.search(${shown(part('query', 'q') ?? 'what you need')})`
  if (asked === 'describe') return `return await tools.describe(${shown(id ?? 'the id of a hit')})`
  if (asked === 'call') {
    return `return await tools.call(${shown(id ?? 'the id of a hit')}, ${shown(part('args', 'input', 'arguments') ?? {})})`
  }
  const tool = toolMeant(view, call)
  if (tool !== undefined) return `return await tools.call(${shown(tool.id)}, ${shown(args)})`
  return `return await tools.search(${shown(call.name.slice(0, TOOL_ID_MAX_LENGTH))})`
}

/** The same for a model that calls through `tool_call`. */
export function callInstead(id: string, call: ModelCall): string {
  return `{ "id": ${JSON.stringify(id)}, "args": ${shown(argumentsOf(call))} }`
}

/** For a model that is shown every tool and calls by the functions of another mode, as an older history has them. */
export function shownInstead(view: View, call: ModelCall): string | undefined {
  const name = call.name.trim()
  const isOfAnotherMode =
    /^tool_(?:search|describe|call|search_code)$/.test(name) && view.resolve(name).kind !== 'found'
  if (!isOfAnotherMode) return undefined
  const { id, args = {} } = argumentsOf(call)
  const tool = typeof id === 'string' ? toolMeant(view, { ...call, name: id }) : undefined
  if (tool === undefined)
    return `there is no ${name} here: every tool is shown to you, call the one that you need by its name`
  const own = tool.source === 'client' ? tool.name : tool.safeName
  return `there is no ${name} here: every tool is shown to you, call ${own} with ${shown(args)}`
}

/** The hint does without those that cannot be read. */
function argumentsOf({ arguments: text }: ModelCall): { readonly [key: string]: JsonValue } {
  return readJsonObject(text) ?? {}
}

function shown(value: JsonValue): string {
  const text = JSON.stringify(value)
  return text.length <= HINT_ARGUMENTS_MAX_LENGTH ? text : '{ … }'
}
