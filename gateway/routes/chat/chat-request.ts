import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { ToolDefinition } from '../../../catalog/tool.ts'
import type { Schema, Static } from '../../schema/type.ts'
import { Type } from '../../schema/type.ts'
import type { ChatMessage, ToolChoice } from '../../providers/provider.ts'
import { HttpError } from '../http-error.ts'
import { readToolsAllow } from '../tools-allow.ts'
import { parseMessage } from './chat-message.ts'
import { CLIENT_TOOLS_MAX, SESSION_ID_MAX_LENGTH } from './limits.ts'
import { checkShape } from './check-shape.ts'
import { mendChatRequest } from './mend-request.ts'
import { readToolChoice } from './read-tool-choice.ts'

export interface ChatRequest {
  /** An agent target: `drawbridge`, `drawbridge/<agent>`. */
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly stream: boolean
  readonly includeUsage: boolean
  readonly clientTools: readonly ToolDefinition[]
  readonly toolChoice?: ToolChoice
  readonly user?: string
  /** Narrows the tools of this turn; ours, not the provider's. */
  readonly toolsAllow?: readonly string[]
  /** All that is not ours to read: goes to the provider as it came. */
  readonly parameters: JsonObject
}

const AnyObject: Schema<JsonObject> = { type: 'object' }
/** Names that every provider takes. */
const NAME = { pattern: '^[A-Za-z0-9_-]{1,64}$', 'x-expected': '1 to 64 letters, digits, "_" or "-"' }

const ClientTool = Type.Object({
  type: Type.Enum(['function']),
  function: Type.Object({
    name: Type.String(NAME),
    description: Type.Optional(Type.String()),
    parameters: Type.Optional(AnyObject),
    strict: Type.Optional(Type.Boolean()),
  }),
})

/** Read by its role, once that is known. */
const AnyMessage: Schema<JsonObject> = Type.Object({ role: Type.String() })
const USER = {
  pattern: `^[\\s\\S]{0,${SESSION_ID_MAX_LENGTH}}$`,
  'x-expected': `a string of at most ${SESSION_ID_MAX_LENGTH} characters`,
}

/** The fields that we read; OpenAI's other fields are accepted and passed on. */
const ChatRequestBody = Type.Object({
  model: Type.String({ minLength: 1 }),
  messages: Type.Array(AnyMessage, { minItems: 1 }),
  stream: Type.Optional(Type.Boolean()),
  stream_options: Type.Optional(Type.Object({ include_usage: Type.Optional(Type.Boolean()) })),
  tools: Type.Optional(Type.Array(ClientTool, { maxItems: CLIENT_TOOLS_MAX })),
  user: Type.Optional(Type.String(USER)),
  n: Type.Optional(Type.Integer({ minimum: 1, 'x-expected': 'an integer of at least 1' })),
})

const ToolList = Type.Object({ tools: Type.Array(ClientTool, { maxItems: CLIENT_TOOLS_MAX }) })

/**
 * The client's own tools of a request that has no messages.
 * @throws {HttpError} 400 that names the field
 */
export function readClientTools(tools: JsonValue | undefined): readonly ToolDefinition[] {
  if (tools === undefined || tools === null) return []
  const value: JsonObject = { tools }
  checkShape(ToolList, value, '')
  const read = value.tools.map(toolOf)
  refuseDuplicates(read)
  return read
}

/** @throws {HttpError} 400 that names the field */
export function parseChatRequest(value: unknown): ChatRequest {
  if (!isJsonObject(value)) throw new HttpError('invalid_request', 'the body must be a JSON object')
  const set = mendChatRequest(value)
  refuseUnsupported(set)
  const read = readBody(set)
  const {
    model,
    messages,
    stream,
    stream_options: streamOptions,
    tools,
    tool_choice: choice,
    user,
    n,
    toolsAllow: listed,
    ...rest
  } = read
  const toolsAllow = readToolsAllow(listed)
  const brought = (tools ?? []).map(toolOf)
  refuseDuplicates(brought)
  if (n !== undefined && n > 1) throw unsupported('n', 'n must be 1: a turn runs its tools once and has one answer')
  return {
    model,
    messages: messages.map((message, index) => parseMessage(message, `messages[${index}]`)),
    stream: stream ?? false,
    includeUsage: streamOptions?.include_usage ?? false,
    ...readToolChoice(choice, brought),
    parameters: rest,
    ...(toolsAllow !== undefined && { toolsAllow }),
    ...(user !== undefined && user !== '' && { user }),
  }
}

function readBody(set: JsonObject): Static<typeof ChatRequestBody> & JsonObject {
  checkShape(ChatRequestBody, set, '')
  return set
}

function refuseUnsupported(set: JsonObject): void {
  if (set['functions'] !== undefined) throw unsupported('functions', 'functions is not supported; send tools')
  if (set['function_call'] !== undefined)
    throw unsupported('function_call', 'function_call is not supported; send tool_choice')
  const tools = Array.isArray(set['tools']) ? set['tools'] : []
  const index = tools.findIndex(
    (tool: unknown) => isJsonObject(tool) && typeof tool['type'] === 'string' && tool['type'] !== 'function',
  )
  if (index !== -1) {
    throw unsupported(
      `tools[${index}].type`,
      `tools[${index}].type must be "function": only functions can be run by a client here`,
    )
  }
}

function refuseDuplicates(tools: readonly ToolDefinition[]): void {
  const names = new Set<string>()
  for (const [index, { name }] of tools.entries()) {
    const param = `tools[${index}].function.name`
    if (names.has(name)) {
      throw new HttpError('invalid_request', `${param} "${name}" stands twice in tools; names must be unique`, {
        param,
      })
    }
    names.add(name)
  }
}

function toolOf(tool: Static<typeof ClientTool>): ToolDefinition {
  const { name, description = '', parameters = { type: 'object', properties: {} }, strict } = tool.function
  return { name, description, inputSchema: parameters, ...(strict !== undefined && { strict }) }
}

function unsupported(param: string, message: string): HttpError {
  return new HttpError('unsupported_parameter', message, { param })
}
