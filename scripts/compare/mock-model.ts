import type { ChatCompletionRequest, ChatMessage, FixtureResponse } from '@copilotkit/aimock'
import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import { GREETING, LABEL_NUMBER, TASK } from './task.ts'

type ShownTool = NonNullable<ChatCompletionRequest['tools']>[number]

/**
 * What a model would answer. It knows the user's message and what this request shows: it names no tool, id or
 * argument that the definitions or the earlier results did not give it. A function of the request alone.
 */
export function answerAsModel(request: ChatCompletionRequest): FixtureResponse {
  if (request.messages.findLast(({ role }) => role === 'user')?.content === GREETING) return { content: 'Hello.' }
  const shown = request.tools ?? []
  const results = resultsOfTurn(request.messages)
  const label = LABEL_NUMBER.exec(results.at(-1) ?? '')?.[0]
  if (label !== undefined) return { content: `The label number is ${label}.` }
  if (isShown(shown, 'tool_search_code')) return answerWithProgram(results)
  if (isShown(shown, 'tool_search')) return answerWithSearch(results)
  return answerDirectly(shown, results)
}

/** One program that searches, describes and calls. */
function answerWithProgram(results: readonly string[]): FixtureResponse {
  if (results.length > 0) return giveUp(results)
  const code = `const [hit] = await tools.search(${JSON.stringify(TASK.query)}, { limit: 5 })
const about = await tools.describe(hit.id)
const known = ${JSON.stringify(TASK.args)}
const args = Object.fromEntries(Object.entries(known).filter(([key]) => key in about.inputSchema.properties))
return await tools.call(about.id, args)`
  return call('tool_search_code', { code })
}

/** A search, a description, a call: one a step. */
function answerWithSearch(results: readonly string[]): FixtureResponse {
  const [found, described] = results.map(readJson)
  if (found === undefined) return call('tool_search', { query: TASK.query, limit: 5 })
  const hits = isJsonObject(found) ? found['hits'] : found
  const first: unknown = Array.isArray(hits) ? hits[0] : undefined
  if (!isJsonObject(first) || typeof first['id'] !== 'string') return giveUp(results)
  if (described === undefined) return call('tool_describe', { id: first['id'] })
  if (results.length > 2 || !isJsonObject(described) || !isJsonObject(described['inputSchema'])) return giveUp(results)
  return call('tool_call', { id: first['id'], args: argumentsFor(described['inputSchema']) })
}

/** The tool by its name, among all that are shown. */
function answerDirectly(shown: readonly ShownTool[], results: readonly string[]): FixtureResponse {
  const tool = shown.find(({ function: { name } }) => name === TASK.tool || name.endsWith(`__${TASK.tool}`))
  if (tool === undefined || results.length > 0) return giveUp(results)
  const parameters: unknown = tool.function.parameters
  return call(tool.function.name, isJsonObject(parameters) ? argumentsFor(parameters) : {})
}

/** What is known of the arguments that a schema asks for. */
function argumentsFor(schema: JsonObject): JsonObject {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  return Object.fromEntries(Object.entries(TASK.args).filter(([key]) => key in properties))
}

function call(name: string, args: JsonObject): FixtureResponse {
  return { toolCalls: [{ name, arguments: JSON.stringify(args) }] }
}

function giveUp(results: readonly string[]): FixtureResponse {
  return { content: `I could not do it. The last I saw was: ${results.at(-1) ?? 'no tool for this'}` }
}

/** Texts of the tool results since the user last spoke. */
function resultsOfTurn(messages: readonly ChatMessage[]): readonly string[] {
  const last = messages.findLastIndex((message) => message.role === 'user')
  return messages
    .slice(last + 1)
    .filter((message) => message.role === 'tool')
    .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
}

function isShown(shown: readonly ShownTool[], name: string): boolean {
  return shown.some((tool) => tool.function.name === name)
}

function readJson(text: string): JsonValue {
  try {
    const value: JsonValue = JSON.parse(text)
    return value
  } catch {
    // A result that is not JSON shows the model nothing that it could read an id from.
    return null
  }
}
