import { isJsonObject } from '../../../catalog/json.ts'
import { readJson } from '../../../catalog/read-json.ts'
import { CALL_ARGUMENTS_CHARS } from '../limits.ts'
import { readLiteral } from './read-literal.ts'

const NAME_KEYS = ['name', 'tool', 'tool_name', 'toolName', 'toolId', 'id', 'function', 'recipient_name'] as const
const ARGUMENT_KEYS = ['arguments', 'args', 'input', 'parameters', 'params', 'tool_input'] as const
const LIST_KEYS = ['tool_calls', 'toolCalls', 'tool_uses', 'calls'] as const

/**
 * The call of a tool, sent as JSON where a program belongs. To the language it is an object, which would be given back
 * as the result of a run that did nothing. What the program would be is said; it is not run, since nobody wrote it.
 */
export function programForCall(text: string): string | undefined {
  const trimmed = text.trim()
  if (!/^[[{]/.test(trimmed)) return undefined
  const sent = readJson(trimmed) ?? readLiteral(trimmed)
  if (isSearch(sent)) return `return await tools.search(${shown(sent)})`
  const calls = callsIn(sent)
  const [first] = calls
  if (first === undefined) return undefined
  if (calls.length > 1)
    return `return await tools.callAll([{ id: ${shown(first.name)}, args: ${shown(first.args)} }, …])`
  const own = /^(?:tools?[._])?(search|describe)$/.exec(first.name)?.[1]
  const asked = isJsonObject(first.args) ? (first.args['query'] ?? first.args['id'] ?? first.args['ids']) : undefined
  if (own !== undefined && asked !== undefined) return `return await tools.${own}(${shown(asked)})`
  return `return await tools.call(${shown(first.name)}, ${shown(first.args)})`
}

/** What the tool for searching takes where it is shown itself. */
function isSearch(value: unknown): boolean {
  if (!isJsonObject(value) || (typeof value['query'] !== 'string' && !Array.isArray(value['queries']))) return false
  return Object.keys(value).every((key) => SEARCH_KEYS.some((name) => name === key))
}

const SEARCH_KEYS = ['query', 'queries', 'limit', 'cursor', 'filter', 'explain', 'max_results', 'top_k'] as const

/** A tool's id alone: to the language three labels. */
export function programForId(text: string): string | undefined {
  const id = /^\s*((?:plugin|mcp|client):[^\s:;(){}"'`]{1,200}:[^\s:;(){}"'`]{1,200})\s*$/.exec(text)?.[1]
  return id && `return await tools.describe(${shown(id)}), then tools.call with its id and arguments`
}

interface SentCall {
  readonly name: string
  readonly args: unknown
}

function callsIn(value: unknown): readonly SentCall[] {
  if (Array.isArray(value)) {
    const calls = value.map(callIn)
    return calls.every((call) => call !== undefined) ? calls : []
  }
  const list = isJsonObject(value) ? LIST_KEYS.map((key) => value[key]).find(Array.isArray) : undefined
  if (list !== undefined) return callsIn(list)
  const call = callIn(value)
  return call === undefined ? [] : [call]
}

function callIn(value: unknown): SentCall | undefined {
  if (!isJsonObject(value)) return undefined
  // `function` of a model's API, `params` of MCP's own message.
  const inner = value['method'] === 'tools/call' ? value['params'] : value['function']
  const call = isJsonObject(inner) ? inner : value
  const name = NAME_KEYS.map((key) => call[key]).find((given) => typeof given === 'string')
  const given = ARGUMENT_KEYS.map((key) => call[key]).find((one) => one !== undefined)
  const args = typeof given === 'string' ? readJson(given) : given
  return typeof name === 'string' && isJsonObject(args) ? { name, args } : undefined
}

function shown(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length <= CALL_ARGUMENTS_CHARS ? text : '{ … }'
}
