import { expect, test } from 'vitest'
import { faultOfStatus } from './ask.ts'

const faultOf = (status: number, headers: Record<string, string> = {}) =>
  faultOfStatus(new Response(null, { status, headers }))

test('a server that has no time now says so, and for how long', () => {
  expect(faultOf(429, { 'retry-after': '7' })).toMatchObject({
    code: 'busy',
    retryAfterMs: 7_000,
    message: 'the server takes no more requests for now (HTTP 429); it asks to wait for 7 s',
  })
  expect(faultOf(429)).toMatchObject({ code: 'busy', retryAfterMs: undefined })
})

test('of a status it is told what a client could do about it, and only of what is none of its own', () => {
  expect([401, 403, 307, 500, 503].map((status) => faultOf(status)?.code)).toEqual([
    'refused',
    'refused',
    'bad-answer',
    'bad-answer',
    'bad-answer',
  ])
  expect([200, 202, 400, 404, 405].map((status) => faultOf(status))).toEqual(Array.from({ length: 5 }))
})
