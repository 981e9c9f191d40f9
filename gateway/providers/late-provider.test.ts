import { expect, test } from 'vitest'
import { createLateProvider } from './late-provider.ts'
import type { ModelEvent, ModelRequest, Provider } from './provider.ts'

const REQUEST: ModelRequest = { model: 'm', messages: [], tools: [], parameters: {} }

async function drain(provider: Provider, signal = new AbortController().signal): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of provider.step(REQUEST, signal)) events.push(event)
  return events
}

const says = (text: string): Provider => ({
  name: 'late',
  async *step(_request, signal) {
    signal.throwIfAborted()
    yield await Promise.resolve({ kind: 'text' as const, text })
  },
})

test('a provider is loaded with its first step, and once for steps at the same time', async () => {
  let loads = 0
  const provider = createLateProvider('late', async () => {
    loads += 1
    return says(`load ${loads}`)
  })
  expect([provider.name, loads]).toEqual(['late', 0])
  const both = await Promise.all([drain(provider), drain(provider)])
  const said = [...both, await drain(provider)].flat()
  expect(said).toEqual(['load 1', 'load 1', 'load 1'].map((text) => ({ kind: 'text', text })))
})

test('a step that is aborted while its provider is loaded ends with the reason of its signal', async () => {
  const leaving = new AbortController()
  const reason = new Error('the client has left')
  const provider = createLateProvider('late', async () => {
    leaving.abort(reason)
    return says('too late')
  })
  await expect(drain(provider, leaving.signal)).rejects.toBe(reason)
})
