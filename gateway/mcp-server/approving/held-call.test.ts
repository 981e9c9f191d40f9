import { expect, test } from 'vitest'
import type { ModelResult } from '../../../bridge/presentation/presentation.ts'
import type { Holding } from '../../parking/waiting-calls.ts'
import { createClientQuestions } from '../asking/client-questions.ts'
import type { HeldCall } from './held-call.ts'
import { beginHeldCall } from './held-call.ts'

const OWNER: HeldCall['owner'] = {
  token: { id: 'tok_1', name: 'one', tenant: 't', scopes: ['tools'], hash: '', createdMs: 0 },
  caller: { tenant: 't', agent: 'default' },
}
const NOTHING_HELD: Holding = {
  hold: {
    begin: () => Promise.reject(new Error('nothing waits here')),
    end: async () => {},
    parked: new AbortController().signal,
    reachesClient: false,
  },
  park: () => {},
  finish: async (settled) => settled,
  release: () => undefined,
}

function aCall() {
  const ended: { reason?: unknown } = {}
  const held = beginHeldCall(OWNER, {
    key: () => 'k',
    holding: NOTHING_HELD,
    questions: createClientQuestions({ abilities: { form: false, url: false, sample: false }, waitMs: () => 0 }),
    make: ({ signal }) => {
      signal.addEventListener('abort', () => (ended.reason = signal.reason))
      return new Promise<ModelResult>(() => {})
    },
  })
  const attend = () => {
    const request = new AbortController()
    return { leave: held.attend(request.signal), abort: () => request.abort('gone') }
  }
  return { held, ended, attend }
}

test('a call ends when the request that waits for it is aborted', () => {
  const { ended, attend } = aCall()
  attend().abort()
  expect(ended.reason).toBe('gone')
})

test('of two requests that wait for a call one takes nothing from the other', () => {
  const { ended, attend } = aCall()
  const [first, second] = [attend(), attend()]
  first.abort()
  expect(ended.reason).toBeUndefined()
  second.abort()
  expect(ended.reason).toBe('gone')
})

test('a request that has been answered ends nothing any more', () => {
  const { ended, attend } = aCall()
  const [first, second] = [attend(), attend()]
  second.leave()
  second.abort()
  expect(ended.reason).toBeUndefined()
  first.abort()
  expect(ended.reason).toBe('gone')
})

test('while its client is asked to come back a call stays, until it does and leaves', () => {
  const { held, ended, attend } = aCall()
  const [first, other] = [attend(), attend()]
  held.invite()
  first.leave()
  other.abort()
  expect(ended.reason).toBeUndefined()
  attend().abort()
  expect(ended.reason).toBe('gone')
})

test('a request that was aborted before ends the call at once', () => {
  const { held, ended } = aCall()
  held.attend(AbortSignal.abort('early'))
  expect(ended.reason).toBe('early')
})

test('what it held is let go of also where its end could not be written down', async () => {
  let released = 0
  const { first } = beginHeldCall(OWNER, {
    key: () => 'k',
    holding: { ...NOTHING_HELD, release: () => void (released += 1) },
    questions: createClientQuestions({ abilities: { form: false, url: false, sample: false }, waitMs: () => 0 }),
    make: () => Promise.reject(new Error('the receipt could not be kept')),
  })
  await expect(first).rejects.toThrow('the receipt could not be kept')
  expect(released).toBe(1)
})
