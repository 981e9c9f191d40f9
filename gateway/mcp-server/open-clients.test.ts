import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { createOpenClients } from './open-clients.ts'

class Response extends EventEmitter {
  isDestroyed = false
  closed = false
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
  const gone = Object.assign(new Response(), { closed: true })
  clients.enter('a', gone)
  sent.emit('close')
  clients.breakOff('a')
  expect(ended).toEqual(['a'])
  clients.breakOff('nobody')
  const all = [stream, call, sent, gone, other]
  expect(all.map(({ isDestroyed }) => isDestroyed)).toEqual([true, true, false, false, false])
})
