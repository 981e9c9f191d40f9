import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { createOpenClients } from './open-clients.ts'

class Response extends EventEmitter {
  isDestroyed = false
  destroy(): void {
    this.isDestroyed = true
    this.emit('close')
  }
}

test('what is open with a token that was revoked breaks off with its sessions, and nothing else', () => {
  const ended: string[] = []
  const clients = createOpenClients([{ endOf: (tokenId) => void ended.push(tokenId) }])
  const [stream, call, sent, other] = [new Response(), new Response(), new Response(), new Response()]
  for (const response of [stream, call, sent]) clients.enter('a', response)
  clients.enter('b', other)
  sent.emit('close')
  clients.breakOff('a')
  expect(ended).toEqual(['a'])
  clients.breakOff('nobody')
  expect([stream, call, sent, other].map(({ isDestroyed }) => isDestroyed)).toEqual([true, true, false, false])
})
