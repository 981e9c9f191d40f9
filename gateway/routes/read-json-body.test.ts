import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { answerError } from '../http/http-error.ts'
import { addJsonParser, readJsonBody } from './read-json-body.ts'

const nested = (levels: number): string => `${'{"a":['.repeat(levels / 2)}1${']}'.repeat(levels / 2)}`

test('any JSON within the bounds is read as it stands', () => {
  for (const text of ['null', '7', '"text"', '{}', '[]', '{"constructor":1,"prototype":2}', nested(200)]) {
    expect(readJsonBody(text)).toEqual(JSON.parse(text))
  }
  expect(readJsonBody('\uFEFF{"a":1}')).toEqual({ a: 1 })
})

test('a body that is not JSON is refused with what was met', () => {
  expect(() => readJsonBody('{"model": draw}')).toThrow(/^the body is not JSON: .*'d'/)
  expect(() => readJsonBody(' \n')).toThrow('the body is empty')
})

test('a body that nests deeper than the bound is refused, however deep it is', () => {
  for (const levels of [202, 200_000]) {
    expect(() => readJsonBody(nested(levels))).toThrow('more than 200 levels deep')
  }
})

test('a key that could reach a prototype is refused at every depth, and is named', () => {
  expect(() => readJsonBody('{"a":[{"__proto__":{"x":1}}]}')).toThrow('"__proto__"')
  expect(() => readJsonBody('{"a":{"constructor":{"prototype":{}}}}')).toThrow('"constructor.prototype"')
  expect(() => readJsonBody(String.raw`{"a":{"\u005f_proto__":{}}}`)).toThrow('"__proto__"')
  expect(() => readJsonBody(String.raw`{"con\u0073tructor":{"prototype":{}}}`)).toThrow('"constructor.prototype"')
})

test('the text of a key or a message may say anything', () => {
  expect(readJsonBody('{"content":"{\\"__proto__\\":1}"}')).toEqual({ content: '{"__proto__":1}' })
})

test('routes are given the body, and keep their own limits of size', async () => {
  const app = fastify({ bodyLimit: 20 })
  app.setErrorHandler(answerError)
  addJsonParser(app)
  app.post('/', async ({ body }) => ({ body }))
  app.post('/large', { bodyLimit: 100 }, async ({ body }) => ({ body }))
  const send = async (url: string, payload: string) => {
    const { statusCode, body } = await app.inject({
      method: 'POST',
      url,
      payload,
      headers: { 'content-type': 'application/json' },
    })
    return [statusCode, JSON.parse(body)]
  }
  const long = JSON.stringify({ text: 'x'.repeat(50) })
  expect(await send('/', '{"a":1}')).toEqual([200, { body: { a: 1 } }])
  expect(await send('/', '{"a"')).toEqual([400, { error: expect.objectContaining({ code: 'invalid_json' }) }])
  expect(await send('/', long)).toEqual([413, { error: expect.objectContaining({ code: 'body_too_large' }) }])
  expect((await send('/', long))[1].error.message).toContain('larger than the 20 bytes')
  expect((await send('/large', long))[0]).toBe(200)
  const plain = await app.inject({
    method: 'POST',
    url: '/',
    payload: '{"a":1}',
    headers: { 'content-type': 'text/plain' },
  })
  expect(plain.statusCode).toBe(415)
  expect(plain.json().error.message).toContain('content-type: application/json')
})

test('a body that is not there is none, also where a client names its type; one that is encoded is refused as such', async () => {
  const app = fastify()
  app.setErrorHandler(answerError)
  addJsonParser(app)
  app.route({ method: ['POST', 'DELETE'], url: '/', handler: async ({ body }) => ({ isThere: body !== undefined }) })
  const headers = { 'content-type': 'application/json' }
  for (const method of ['POST', 'DELETE'] as const) {
    const answer = await app.inject({ method, url: '/', headers })
    expect([answer.statusCode, answer.json()]).toEqual([200, { isThere: false }])
  }
  const zipped = {
    method: 'POST',
    url: '/',
    headers: { ...headers, 'content-encoding': 'gzip' },
    payload: '\u001f',
  } as const
  const answer = await app.inject(zipped)
  expect([answer.statusCode, answer.json().error.message]).toEqual([
    415,
    'the body is encoded as "gzip", which is not read here; send it plain',
  ])
  await app.close()
})

test('a body of more values than honest ones have is refused before anything else looks at them, however they nest', () => {
  const list = (length: number): string => `[${'1,'.repeat(length - 1)}1]`
  expect(readJsonBody(list(250_000))).toHaveLength(250_000)
  for (const text of [list(250_001), `{"a":${list(125_000)},"b":[${list(125_000)}]}`]) {
    expect(() => readJsonBody(text)).toThrow('the body has more than 250000 values')
  }
})
