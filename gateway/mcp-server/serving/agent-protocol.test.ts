import { InMemoryTransport } from '@modelcontextprotocol/server'
import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../catalog/json.ts'
import { AgentProtocol } from './agent-protocol.ts'

/** What is answered to one request, by a server whose lists fail with `fault` where one is given. */
async function answerTo(request: JsonObject, fault?: Error): Promise<JSONRPCMessage> {
  const server = new AgentProtocol({ name: 's', version: '1' }, { capabilities: { tools: {}, resources: {} } })
  server.setRequestHandler('tools/list', () => {
    if (fault !== undefined) throw fault
    return { tools: [] }
  })
  server.setRequestHandler('resources/read', () => ({ contents: [] }))
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const { promise, resolve } = Promise.withResolvers<JSONRPCMessage>()
  Object.assign(ours, { onmessage: resolve })
  await server.connect(theirs)
  await ours.start()
  await ours.send({ jsonrpc: '2.0', id: 1, method: 'ping', ...request })
  const answer = await promise
  await server.close()
  return answer
}

test.each([
  ['tools/list', { cursor: 5 }, 'tools/list cannot be read: params.cursor: expected string, received number'],
  ['resources/read', { uri: null }, 'resources/read cannot be read: params.uri: expected string, received null'],
  ['resources/read', {}, 'resources/read cannot be read: params.uri: expected string, received undefined'],
])('%s with %j is answered as parameters that are wrong, in words', async (method, params, message) => {
  expect(await answerTo({ method, params })).toMatchObject({ id: 1, error: { code: -32_602, message } })
})

test('a handshake without a version is one too', async () => {
  const answer = await answerTo({ method: 'initialize', params: { capabilities: {} } })
  expect(answer).toMatchObject({ error: { code: -32_602, message: expect.stringContaining('params.protocolVersion') } })
})

test('what is read is answered, and what a handler throws stays what it is', async () => {
  expect(await answerTo({ method: 'tools/list' })).toMatchObject({ id: 1, result: { tools: [] } })
  const fault = new Error('the disk is full')
  expect(await answerTo({ method: 'tools/list' }, fault)).toMatchObject({
    error: { code: -32_603, message: 'the disk is full' },
  })
})
