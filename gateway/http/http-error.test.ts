import fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { afterCalls, StoreError } from '../store/errors.ts'
import { answerError, HttpError, httpErrorOf, httpErrors } from './http-error.ts'

describe('an error on its way to a client', () => {
  test('has the status and type of its code, its field, and when to ask again', async () => {
    const refusal = new HttpError('rate_limited', 'too many turns', { param: 'user', retryAfterSeconds: 3 })
    const response = await answerOf(refusal)
    expect(response.statusCode).toBe(429)
    expect(response.headers['retry-after']).toBe('3')
    expect(response.headers['x-request-id']).toBe('req-1')
    expect(response.json()).toEqual({
      error: { message: 'too many turns', type: 'rate_limit_error', code: 'rate_limited', param: 'user' },
    })
  })

  test('is an internal error with the request id when it is a defect, and says nothing else', async () => {
    const response = await answerOf(new TypeError('the database password is hunter2'))
    expect(response.statusCode).toBe(500)
    expect(response.json().error).toMatchObject({ code: 'internal_error', type: 'internal_error' })
    expect(response.body).toContain('req-1')
    expect(response.body).not.toContain('hunter2')
  })

  test.each([
    ['application/xml', '<a/>', 415, 'unsupported_media_type'],
    ['application/json', '{"a":', 400, 'invalid_json'],
    ['application/json', '', 400, 'invalid_json'],
    ['application/json', '{"__proto__":{}}', 400, 'invalid_json'],
    ['application/json', `{"a":"${'x'.repeat(200)}"}`, 413, 'body_too_large'],
  ])('is told in our form when Fastify refuses %s %s', async (...[type, payload, status, code]) => {
    const response = await answerOf(undefined, { type, payload })
    expect([response.statusCode, response.json().error.code]).toEqual([status, code])
  })

  test('of the store asks to try again where nothing was done, and not where calls had been made', async () => {
    const full = new StoreError('store-full', 'store "/home/ada/x.db" cannot grow: the disk is full')
    const before = await answerOf(full)
    expect([before.statusCode, before.headers['retry-after'], before.headers['x-should-retry']]).toEqual([
      503,
      '1',
      undefined,
    ])
    expect(before.json().error.message).toContain('(store-full); nothing was changed; try again')
    const after = await answerOf(afterCalls(full))
    expect([after.statusCode, after.headers['retry-after'], after.headers['x-should-retry']]).toEqual([
      503,
      undefined,
      'false',
    ])
    expect(after.json().error.message).toBe(
      'calls may have been made, and the store cannot keep what came of them (store-full); look at what they did before you ask again',
    )
  })

  test('names the type of body that is read, when another was sent', async () => {
    const response = await answerOf(undefined, { type: 'application/x-www-form-urlencoded', payload: '{}' })
    expect(response.json().error.message).toContain('"content-type: application/json"')
  })
})

test('anything that is thrown becomes an error of the table', () => {
  for (const thrown of [undefined, null, 'text', 7, {}, new Error('x')]) {
    expect(httpErrorOf(thrown, 'r').code).toBe('internal_error')
  }
  expect(httpErrorOf(Object.assign(new Error('Nope'), { statusCode: 418 }), 'r')).toMatchObject({
    code: 'invalid_request',
    message: 'nope',
  })
  expect(Object.values(httpErrors).every(({ status }) => status >= 400 && status < 600)).toBe(true)
})

test('whatever is refused for its token says which scheme is wanted', async () => {
  const challengeTo = async (error: HttpError) => (await answerOf(error)).headers['www-authenticate']
  expect(await challengeTo(new HttpError('missing_token', 'a bearer token is needed'))).toBe(
    'Bearer realm="drawbridge"',
  )
  expect(await challengeTo(new HttpError('invalid_token', 'the "token" is\r\nnot known'))).toBe(
    `Bearer realm="drawbridge", error="invalid_token", error_description="the 'token' is??not known"`,
  )
  for (const code of ['forbidden', 'not_found'] as const) {
    expect(await challengeTo(new HttpError(code, 'no'))).toBeUndefined()
  }
})

async function answerOf(error: unknown, sent = { type: 'application/json', payload: '{}' }) {
  const app = fastify({ genReqId: () => 'req-1', bodyLimit: 100 })
  app.setErrorHandler(answerError)
  app.post('/', () => {
    throw error
  })
  const headers = { 'content-type': sent.type }
  return app.inject({ method: 'POST', url: '/', headers, payload: sent.payload })
}
