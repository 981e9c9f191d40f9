import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { JsonValue } from '../../catalog/json.ts'
import { HttpError } from '../http/http-error.ts'
import { BODY_MAX_DEPTH, BODY_MAX_VALUES, SMALL_BODY_LENGTH } from './limits.ts'

/** Fastify's own parser says neither where a body is not JSON nor that a key is what it refuses. */
export function addJsonParser(app: FastifyInstance): void {
  // Without a parser a body that is sent as plain text is refused for its type, and not for what it is not.
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async ({ headers }: FastifyRequest, body: string | Buffer) => {
      const encoding = headers['content-encoding'] ?? 'identity'
      if (encoding !== 'identity') throw encodingError(encoding)
      // Clients name the type with every request, those without a body among them: a DELETE, a POST that only does something.
      return body.length === 0 ? undefined : readJsonBody(body.toString())
    },
  )
}

function encodingError(encoding: string): HttpError {
  const named = JSON.stringify(encoding.slice(0, 100))
  return new HttpError(
    'unsupported_media_type',
    `the body is encoded as ${named}, which is not read here; send it plain`,
  )
}

/** @throws {HttpError} 400 for a body that is not JSON, nests too deep, has too many values, or a key that could reach a prototype */
export function readJsonBody(text: string): JsonValue {
  const value = parse(text)
  if (isSmallAndPlain(text)) return value
  let count = 0
  let level: readonly (readonly unknown[] | object)[] = isNested(value) ? [value] : []
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > BODY_MAX_DEPTH) {
      throw new HttpError('invalid_request', `the body nests lists and objects more than ${BODY_MAX_DEPTH} levels deep`)
    }
    for (const each of level) refuseKeys(each)
    const values = level.flatMap((each): readonly unknown[] => (Array.isArray(each) ? each : Object.values(each)))
    count += values.length
    if (count > BODY_MAX_VALUES) {
      const way = 'send less at a time, or large data as one text'
      throw new HttpError('invalid_request', `the body has more than ${BODY_MAX_VALUES} values; ${way}`)
    }
    // Level by level, since recursion is what is guarded against.
    level = values.filter(isNested)
  }
  return value
}

/** Whether its text alone shows that there is nothing to refuse in it, as that of nearly every body does. */
function isSmallAndPlain(text: string): boolean {
  if (text.length > SMALL_BODY_LENGTH || /__proto__|constructor|\\u/.test(text)) return false
  let opened = 0
  for (const mark of ['{', '[']) for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) opened += 1
  return opened <= BODY_MAX_DEPTH
}

function parse(text: string): JsonValue {
  try {
    // Some clients of Windows send a byte order mark.
    const value: JsonValue = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text)
    return value
  } catch (error) {
    if (text.trim() === '') throw new HttpError('invalid_json', 'the body is empty; send a JSON object')
    const reason = error instanceof SyntaxError ? error.message.slice(0, 200) : 'it cannot be parsed'
    throw new HttpError('invalid_json', `the body is not JSON: ${reason}`, { cause: error })
  }
}

/** A copy that is made by assignment would change the copy's prototype, or every object's. */
function refuseKeys(nested: object): void {
  if (Array.isArray(nested)) return
  if (Object.hasOwn(nested, '__proto__')) throw keyError('__proto__')
  if (!Object.hasOwn(nested, 'constructor')) return
  const value: unknown = Reflect.get(nested, 'constructor')
  if (isNested(value) && Object.hasOwn(value, 'prototype')) throw keyError('constructor.prototype')
}

function keyError(key: string): HttpError {
  return new HttpError('invalid_request', `the body has a key "${key}", which is refused everywhere; leave it out`)
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
