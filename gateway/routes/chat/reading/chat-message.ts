import type { JsonValue } from '../../../../catalog/json.ts'
import { isJsonObject } from '../../../../catalog/json.ts'
import type { ChatMessage } from '../../../providers/provider.ts'
import type { Schema } from '../../../schema/type.ts'
import { Type } from '../../../schema/type.ts'
import { HttpError } from '../../../http/http-error.ts'
import { checkShape } from './check-shape.ts'

const Null: Schema<null> = { enum: [null], 'x-expected': 'null' }
const Content = [Type.String(), Type.Array(Type.AnyObject())] as const
const NullableContent = Type.Union([...Content, Null])

const Spoken = Type.Object({
  role: Type.Enum(['system', 'developer', 'user']),
  content: Type.Union(Content),
  name: Type.Optional(Type.String()),
})

const Call = Type.Object({
  id: Type.String({ minLength: 1 }),
  type: Type.Optional(Type.Enum(['function'])),
  function: Type.Object({ name: Type.String({ minLength: 1 }), arguments: Type.String() }),
  extra_content: Type.Optional(Type.AnyObject()),
})

const Assistant = Type.Object({
  role: Type.Enum(['assistant']),
  content: Type.Optional(NullableContent),
  tool_calls: Type.Optional(Type.Union([Type.Array(Call), Null])),
})

const Result = Type.Object({
  role: Type.Enum(['tool']),
  tool_call_id: Type.String({ minLength: 1 }),
  content: Type.Optional(NullableContent),
})

/**
 * One message of a request. Fields that a client echoes from answers (`refusal`, `annotations`, `audio` …) are dropped.
 * @throws {HttpError} 400 that names the field
 */
export function parseMessage(value: JsonValue, at: string): ChatMessage {
  const role = isJsonObject(value) ? value['role'] : undefined
  if (role === 'assistant') return parseAssistant(value, at)
  if (role === 'tool') return parseResult(value, at)
  if (role === 'system' || role === 'developer' || role === 'user') return parseSpoken(value, at)
  const got = role === undefined ? 'absent' : JSON.stringify(role).slice(0, 100)
  const message = `${at}.role must be system, developer, user, assistant or tool, not ${got}`
  throw new HttpError('invalid_request', message, { param: `${at}.role` })
}

function parseSpoken(value: JsonValue, at: string): ChatMessage {
  checkShape(Spoken, value, at)
  return { role: value.role, content: value.content, ...(value.name !== undefined && { name: value.name }) }
}

function parseResult(value: JsonValue, at: string): ChatMessage {
  checkShape(Result, value, at)
  // A finished call that gave nothing is still finished.
  return { role: 'tool', tool_call_id: value.tool_call_id, content: value.content ?? '' }
}

function parseAssistant(value: JsonValue, at: string): ChatMessage {
  checkShape(Assistant, value, at)
  const content = value.content ?? null
  const calls = value.tool_calls ?? []
  if (calls.length === 0) return { role: 'assistant', content: content ?? '' }
  const parts = calls.map(({ id, function: body, extra_content: extra }) => ({
    id,
    type: 'function' as const,
    function: { name: body.name, arguments: body.arguments },
    ...(extra !== undefined && { extra_content: extra }),
  }))
  return { role: 'assistant', content, tool_calls: parts }
}
