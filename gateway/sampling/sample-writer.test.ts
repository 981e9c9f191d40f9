import { expect, test } from 'vitest'
import type { Receipt } from '../../bridge/receipt.ts'
import type { Sample } from '../../bridge/asking/sample.ts'
import { createTool } from '../../catalog/tool.ts'
import type { ModelEvent, ModelRequest } from '../providers/provider.ts'
import { ProviderError } from '../providers/provider.ts'
import { HttpError } from '../http/http-error.ts'
import { createSampleWriter } from './sample-writer.ts'

const SAMPLE: Sample = {
  messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }],
  systemPrompt: 'be kind',
  maxTokens: 3,
  stopSequences: ['.'],
}
const tool = createTool('mcp', 'files', { name: 'wipe', description: 'Wipes.', inputSchema: { type: 'object' } })
const allowed = { sample: SAMPLE, callId: 'call_1', caller: { tenant: 't', agent: 'a' }, tool, approval: 'apr_1' }
const until = (): AbortSignal => new AbortController().signal

type Play = (request: ModelRequest) => readonly ModelEvent[]

function aWriter(play: Play, { name = 'openai', parameters = {} } = {}) {
  const receipts: Receipt[] = []
  const requests: ModelRequest[] = []
  const provider = {
    name,
    async *step(request: ModelRequest) {
      requests.push(request)
      yield* play(request)
    },
  }
  const writer = createSampleWriter({
    chooseModel(agent) {
      if (agent === 'none') throw new HttpError('unavailable', 'no provider')
      return { provider, model: 'gpt', parameters }
    },
    writeReceipt: async (receipt) => void receipts.push(receipt),
    catalogRevision: () => 'r1',
    redact: (text) => text,
    log: { info: () => undefined },
    now: () => 1,
    newId: () => 'rc_1',
  })
  return { writer, receipts, requests }
}

const says = (text: string, reason: 'stop' | 'length' = 'stop'): readonly ModelEvent[] => [
  { kind: 'text', text },
  { kind: 'finish', reason },
]

test('the model is given what was allowed and nothing else, and its answer leaves a receipt', async () => {
  const { writer, receipts, requests } = aWriter(() => says('hello'), { parameters: { max_tokens: 9_000, seed: 1 } })
  expect(await writer.write(allowed, until())).toEqual({
    kind: 'written',
    text: 'hello',
    model: 'gpt',
    stopReason: 'endTurn',
  })
  expect(requests).toEqual([
    {
      model: 'gpt',
      messages: [
        { role: 'system', content: 'be kind' },
        { role: 'user', content: 'hi' },
      ],
      tools: [],
      parameters: { seed: 1, stop: ['.'], max_tokens: 3 },
    },
  ])
  expect(receipts).toMatchObject([
    { requested: 'sampling/createMessage', toolId: 'mcp:files:wipe', approval: 'apr_1', outcome: 'ok', effect: 'none' },
  ])
})

test('an upstream that makes nothing of the bound is cut off', async () => {
  const { writer } = aWriter(() => says('x'.repeat(1_000)))
  expect(await writer.write(allowed, until())).toMatchObject({ text: 'x'.repeat(48), stopReason: 'maxTokens' })
  const { writer: bounded } = aWriter(() => says('one two three', 'length'))
  expect(await bounded.write(allowed, until())).toMatchObject({ stopReason: 'maxTokens' })
})

test('a failure of the upstream is told without its words, and leaves a receipt too', async () => {
  const { writer, receipts } = aWriter(() => {
    throw new ProviderError('key sk-123 was refused', { code: 'upstream_key_refused' })
  })
  expect(await writer.write(allowed, until())).toEqual({ kind: 'failed', reason: 'the model could not answer' })
  expect(receipts).toMatchObject([{ outcome: 'failed' }])
})

test('a call that is aborted ends the writing, and leaves a receipt that says so', async () => {
  const stop = new AbortController()
  const { writer, receipts } = aWriter(() => {
    stop.abort(new Error('left'))
    throw new ProviderError('broke off', { code: 'upstream_failed' })
  })
  await expect(writer.write(allowed, stop.signal)).rejects.toThrow('left')
  expect(receipts).toMatchObject([
    { requested: 'sampling/createMessage', toolId: 'mcp:files:wipe', approval: 'apr_1', outcome: 'cancelled' },
  ])
})

test.each<[string, unknown, string]>([
  ['that takes too long', new DOMException('too long', 'TimeoutError'), 'timed-out'],
  ['of ours', new TypeError('no such field'), 'failed'],
])('a fault %s leaves a receipt too', async (_kind, error, outcome) => {
  const { writer, receipts } = aWriter(() => {
    throw error
  })
  await writer.write(allowed, until()).catch(() => undefined)
  expect(receipts).toMatchObject([{ outcome }])
})

test('there is no model where none is configured, and the stand-in is none', () => {
  expect(aWriter(() => []).writer.modelFor({ tenant: 't', agent: 'a' })).toBe('openai/gpt')
  expect(aWriter(() => []).writer.modelFor({ tenant: 't', agent: 'none' })).toBeUndefined()
  expect(aWriter(() => [], { name: 'scripted' }).writer.modelFor({ tenant: 't', agent: 'a' })).toBeUndefined()
})
