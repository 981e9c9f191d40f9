import type { JsonValue } from '../../catalog/json.ts'
import { readJsonObject } from '../../catalog/read-json.ts'
import { SUGGESTION_COUNT, TOOL_ID_MAX_LENGTH } from '../../catalog/limits.ts'
import type { Tool } from '../../catalog/tool.ts'
import type { View } from '../../catalog/view.ts'
import { HINT_ARGUMENTS_MAX_LENGTH } from '../limits.ts'
import type { SettledCall } from '../outcome.ts'
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
  return `there is no ${name} here: every tool is shown to you, call ${shownName(tool)} with ${shown(args)}`
}

/**
 * The end of a call whose name meant no tool, or several, for who is shown every tool under a name of its own: ids are no names
 * that a provider or a client of MCP could call.
 */
export function inShownNames(settled: SettledCall, view: View, call: ModelCall): SettledCall {
  const { outcome } = settled
  const asked = JSON.stringify(call.name.slice(0, TOOL_ID_MAX_LENGTH))
  if (outcome.kind === 'ambiguous-tool') {
    const ids = shownNames(view, outcome.ids)
    const message = `${asked} could be several tools; call one by the name that it is shown under: ${quoted(ids)}`
    return { ...settled, outcome: { ...outcome, message, ids } }
  }
  if (outcome.kind !== 'unknown-tool') return settled
  const meant = toolMeant(view, call)
  const near = shownNames(view, [...(meant === undefined ? [] : [meant.id]), ...outcome.suggestions])
  const suggestions = near.slice(0, SUGGESTION_COUNT)
  const hint = near.length > 0 ? `did you mean ${quoted(suggestions)}?` : 'call one of those that you are shown'
  return { ...settled, outcome: { ...outcome, message: `there is no tool ${asked}; ${hint}`, suggestions } }
}

function shownNames(view: View, ids: readonly string[]): readonly string[] {
  return [...new Set(ids)].flatMap((id) => view.tools.filter((tool) => tool.id === id).map(shownName))
}

function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ')
}

/** Under which a tool is shown where every one is. */
function shownName(tool: Tool): string {
  return tool.source === 'client' ? tool.name : tool.safeName
}

/** The hint does without those that cannot be read. */
function argumentsOf({ arguments: text }: ModelCall): { readonly [key: string]: JsonValue } {
  return readJsonObject(text) ?? {}
}

function shown(value: JsonValue): string {
  const text = JSON.stringify(value)
  return text.length <= HINT_ARGUMENTS_MAX_LENGTH ? text : '{ … }'
}
