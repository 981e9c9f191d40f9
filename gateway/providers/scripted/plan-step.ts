import type { ModelTool } from '../../../bridge/presentation/presentation.ts'
import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { readJson } from '../../../catalog/read-json.ts'
import { SCRIPTED_MESSAGE_MAX_LENGTH } from '../limits.ts'
import type { ChatMessage, ModelRequest } from '../provider.ts'
import { fillArguments } from './fill-arguments.js'
import { pickTool, searchQuery } from './pick-tool.ts'
import { findObject } from './read-result.ts'
import { say, sayCalled, sayMissing, sayNoTools, sayNothingFits, sayValue } from './say.ts'
import { scriptedProgram } from './scripted-program.ts'

export type ScriptedStep =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'call'; readonly name: string; readonly args: JsonObject }

/** Names of the tools behind which the others are found; the rest are called as they are shown. */
const CODE = 'tool_search_code'
const SEARCH = 'tool_search'
const DESCRIBE = 'tool_describe'
const CALL = 'tool_call'
const SURFACE: readonly string[] = [CODE, SEARCH, DESCRIBE, CALL]

/** What the stand-in does next: a pure function of what it is shown and what has happened since the user spoke. */
export function planStep(request: Pick<ModelRequest, 'messages' | 'tools' | 'toolChoice'>): ScriptedStep {
  const message = lastUserText(request.messages)
  const done = lastSettled(request.messages)
  if (done) return planAfter(done, message)
  if (request.tools.length === 0 || request.toolChoice === 'none') return { kind: 'say', text: sayNoTools(message) }
  return planFirst(request, message)
}

function planFirst({ tools, toolChoice }: Pick<ModelRequest, 'tools' | 'toolChoice'>, message: string): ScriptedStep {
  const pinned = typeof toolChoice === 'object' ? toolChoice.function.name : undefined
  const shown = tools.filter((tool) => !SURFACE.includes(tool.name))
  const direct = pinned === undefined ? pickTool(shown, message) : shown.find((tool) => tool.name === pinned)
  if (direct) return planDirect(direct, message)
  const query = searchQuery(message)
  const has = (name: string) => tools.some((tool) => tool.name === name)
  if (has(CODE)) return { kind: 'call', name: CODE, args: { code: scriptedProgram(message, query) } }
  if (has(SEARCH)) return { kind: 'call', name: SEARCH, args: { query, limit: 3 } }
  return { kind: 'say', text: sayNothingFits(message) }
}

function planDirect(tool: ModelTool, message: string): ScriptedStep {
  const { args, missing } = fillArguments(tool.parameters, message)
  if (missing.length > 0) return { kind: 'say', text: sayMissing(tool.name, missing) }
  return { kind: 'call', name: tool.name, args: jsonArguments(args) }
}

interface Settled {
  readonly name: string
  readonly args: JsonValue
  readonly text: string
}

function planAfter(done: Settled, message: string): ScriptedStep {
  switch (done.name) {
    case CODE:
      return { kind: 'say', text: sayProgramResult(done.text, message) }
    case SEARCH: {
      const id = bestHit(done.text)
      if (id === undefined) return { kind: 'say', text: sayNothingFits(message) }
      return { kind: 'call', name: DESCRIBE, args: { id } }
    }
    case DESCRIBE:
      return planCall(done, message)
    case CALL: {
      const id = isJsonObject(done.args) ? textOf(done.args['id'], done.name) : done.name
      const args = isJsonObject(done.args) ? (done.args['args'] ?? {}) : {}
      return { kind: 'say', text: sayCalled(id, args, valueIn(done.text)) }
    }
    default:
      return { kind: 'say', text: sayCalled(done.name, done.args, valueIn(done.text)) }
  }
}

function planCall(described: Settled, message: string): ScriptedStep {
  const id = isJsonObject(described.args) ? described.args['id'] : undefined
  const schema = findObject(described.text, 'inputSchema')?.['inputSchema']
  if (typeof id !== 'string' || !isJsonObject(schema)) {
    return { kind: 'say', text: say(`I could not read the description of the tool:\n\n${sayValue(described.text)}`) }
  }
  const { args, missing } = fillArguments(schema, message)
  if (missing.length > 0) return { kind: 'say', text: sayMissing(id, missing) }
  return { kind: 'call', name: CALL, args: { id, args: jsonArguments(args) } }
}

/** A hit that search itself calls weak is no find. */
function bestHit(text: string): string | undefined {
  const hits = findObject(text, 'hits')?.['hits']
  const best: unknown = Array.isArray(hits) ? hits[0] : undefined
  if (!isJsonObject(best) || best['weak'] === true) return undefined
  return typeof best['id'] === 'string' ? best['id'] : undefined
}

function sayProgramResult(text: string, message: string): string {
  const result = findObject(text, 'scripted') ?? {}
  const tool = textOf(result['tool'], 'the tool')
  const end = result['scripted']
  if (end === 'called') return sayCalled(tool, result['args'] ?? {}, result['result'] ?? null)
  if (end === 'nothing-found') return sayNothingFits(message)
  if (end !== 'missing') return say(`My program ended like this:\n\n${sayValue(text)}`)
  const missing = Array.isArray(result['missing']) ? result['missing'].map(String) : []
  return sayMissing(tool, missing, textOf(result['signature'], ''))
}

function textOf(value: JsonValue | undefined, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise
}

/** The tool's value out of the envelope of a call; whatever did not end `ok` is told whole. */
function valueIn(text: string): JsonValue {
  const result = readable(text)
  return isJsonObject(result) && result['outcome'] === 'ok' ? (result['value'] ?? null) : result
}

function readable(text: string): JsonValue {
  const value = readJson(text)
  if (value !== undefined) return value
  // Words already.
  return text === '' ? 'nothing' : text
}

function lastUserText(messages: readonly ChatMessage[]): string {
  const content = messages.findLast((message) => message.role === 'user')?.content ?? ''
  const parts = typeof content === 'string' ? [content] : content.map((part) => textOf(part['text'], ''))
  return parts.join('\n').slice(0, SCRIPTED_MESSAGE_MAX_LENGTH)
}

/** The last call since the user spoke, with its result. */
function lastSettled(messages: readonly ChatMessage[]): Settled | undefined {
  const since = messages.slice(messages.findLastIndex((message) => message.role === 'user') + 1)
  const call = since.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : [])).at(-1)
  const result = since.findLast((message) => message.role === 'tool' && message.tool_call_id === call?.id)
  if (!call || !result || result.content === null) return undefined
  const text = typeof result.content === 'string' ? result.content : JSON.stringify(result.content)
  return { name: call.function.name, args: readable(call.function.arguments), text }
}

/** They come from a message's text, so they are JSON already; a copy shows it to the type checker. */
function jsonArguments(args: Record<string, unknown>): JsonObject {
  const copy: JsonObject = JSON.parse(JSON.stringify(args))
  return copy
}
