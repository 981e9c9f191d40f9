import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { serveHttp } from '../../fixtures/http-servers.ts'
import { startSource, statusOf } from '../../fixtures/recorded-source.ts'

interface Oddity {
  readonly discovery?: object
  readonly list?: object
  readonly call?: object
}

/** A server of the newest revision alone, by hand, with one oddity. */
function newest({ discovery, list, call }: Oddity): RequestListener {
  const whole = { resultType: 'complete' }
  const tools = [{ name: 'act', inputSchema: { type: 'object' } }]
  const results = new Map<unknown, object>([
    ['server/discover', { ...whole, supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ...discovery }],
    ['tools/list', { ...whole, tools, ttlMs: 0, cacheScope: 'private', ...list }],
    ['tools/call', { ...whole, content: [{ type: 'text', text: 'done' }], ...call }],
  ])
  return (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end()
    return void text(request).then((body) => {
      const { id, method } = JSON.parse(body)
      const result = results.get(method)
      const end = result === undefined ? { error: { code: -32_601, message: 'method not found' } } : { result }
      response.writeHead(200, { 'content-type': 'application/json' })
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, ...end }))
    })
  }
}

test.each<[string, Oddity]>([
  ['does not say what it can', { discovery: { capabilities: undefined } }],
  ['has null for what it does not have', { discovery: { capabilities: null, instructions: null, _meta: null } }],
  ['names its one revision without a list', { discovery: { supportedVersions: '2026-07-28' } }],
  ['says true for a capability', { discovery: { capabilities: { tools: true } } }],
  [
    'does not say that a list is whole, nor how long it may be kept',
    { list: { resultType: undefined, ttlMs: undefined } },
  ],
  ['lets a list be kept for null', { list: { ttlMs: null, cacheScope: null } }],
  ['lets a list be kept for less than nothing, by nobody', { list: { ttlMs: -1, cacheScope: 'none' } }],
  ['does not say that a result is whole', { call: { resultType: undefined } }],
])('a server of the newest revision that %s is used in it', async (_what, oddity) => {
  await using server = await serveHttp(newest(oddity))
  await using recorded = startSource({ servers: { odd: { url: server.url } } })
  await recorded.ready('odd')
  expect(statusOf(recorded.source, 'odd')?.protocolVersion).toBe('2026-07-28')
  expect(await recorded.text('odd', 'act')).toBe('done')
})

test.each(['task', 7])('a result of the kind %j is none', async (resultType) => {
  await using server = await serveHttp(newest({ call: { resultType } }))
  await using recorded = startSource({ servers: { odd: { url: server.url } } })
  await recorded.ready('odd')
  await expect(recorded.call('odd', 'act')).rejects.toMatchObject({ code: 'bad-answer' })
})
