import { expect, test } from 'vitest'
import { readRpcMessage } from './rpc-message.ts'

const rpc = (message: object): object => ({ jsonrpc: '2.0', ...message })

test.each([
  ['request', { id: 1, method: 'ping' }],
  ['request', { id: '', method: 'ping', params: { a: 1 } }],
  ['notification', { method: 'notifications/initialized' }],
  ['answer', { id: 'a', result: {} }],
  ['answer', { id: 1, error: { code: 1, message: 'no' } }],
  ['answer', { error: { code: 1, message: 'no' } }],
  ['answer', { id: null, error: { code: 1, message: 'no' } }],
])('a %s is passed on with all that the protocol knows of it, and nothing else', (kind, message) => {
  expect(readRpcMessage(rpc({ ...message, own: 1 }))).toMatchObject({ kind, whole: rpc(message) })
  expect(Object.keys(readRpcMessage(rpc({ ...message, own: 1 }))?.whole ?? {})).not.toContain('own')
})

test.each([
  [{ id: 1, method: 'ping', result: {} }],
  [{ id: 1, method: 'ping', error: { code: 1, message: 'no' } }],
  [{ id: 1, result: {}, error: { code: 1, message: 'no' } }],
  [{ id: 1 }],
  [{ id: 1, result: 7 }],
  [{ id: 1.5, method: 'ping' }],
  [{ id: null, method: 'ping' }],
  [{ id: 1, method: 'ping', params: [] }],
  [{ jsonrpc: '1.0', id: 1, method: 'ping' }],
])('%j is no message', (message) => {
  expect(readRpcMessage(rpc(message))).toBeUndefined()
})
