import { expect, test } from 'vitest'
import type { ToolSurface } from '../../bridge/surface/tool-surface.ts'
import { aPending } from '../store/testing/approval-makers.ts'
import { aSharedStore, LEASE_MS } from './testing/shared-store.ts'
import { createToldEnds } from './told-ends.ts'
import { createWaitingCalls } from './waiting-calls.ts'

const CALLER = { tenant: 't', agent: 'default' }
const APPROVAL = aPending('t', 'apr_1', 'call_1')
const NAMES = { callId: 'call_1', receiptId: 'rcp_1', requested: 'plugin:a:t', toolId: 'plugin:a:t' }
const CALL = { ...NAMES, schemaHash: 's', input: { amount: 1 }, notices: [] }
const DENIED = { kind: 'denied', message: 'not begun', effect: 'none' } as const
const SETTLED = { callId: 'call_1', requested: 'plugin:a:t', outcome: DENIED, notices: [], ms: 1, receiptId: 'rcp_1' }

test.each(['is at it', 'has made it'])(
  'one that stood still tells nothing of a call when another %s',
  async (state) => {
    const { open, clock } = await aPlace()
    const [a, b] = [await open('a'), await open('b')]
    const stoodStill = a.calls.hold(CALLER, Number.POSITIVE_INFINITY)
    await stoodStill.hold.begin({ call: CALL, approval: APPROVAL })
    clock.nowMs += LEASE_MS + 1
    await b.live.enter('t', 'call_1')
    await b.told.tell('t', 'call_1', { callId: 'call_1', outcome: 'ok' })
    if (state === 'has made it') await b.work.remove('t', 'call_1')
    await expect(stoodStill.hold.end('call_1')).rejects.toMatchObject({ name: 'StoreError', code: 'row-taken' })
    await stoodStill.finish(SETTLED)
    expect(await b.told.get('t', 'call_1')).toEqual({ callId: 'call_1', outcome: 'ok' })
  },
)

test('one that still has it tells that it is under way, and how it ended', async () => {
  const { open } = await aPlace()
  const { calls, told } = await open('a')
  const holding = calls.hold(CALLER, Number.POSITIVE_INFINITY)
  await holding.hold.begin({ call: CALL, approval: APPROVAL })
  await holding.hold.end('call_1')
  expect(await told.get('t', 'call_1')).toMatchObject({ outcome: 'under-way' })
  await holding.finish(SETTLED)
  expect(await told.get('t', 'call_1')).toEqual({ outcome: 'denied' })
})

test('a call whose end could not be written down is let go of: nobody is said to be at it for ever', async () => {
  const { open } = await aPlace()
  const { calls, live } = await open('a')
  const signal = new AbortController().signal
  const surface: Pick<ToolSurface, 'caller' | 'callHeld'> = {
    caller: CALLER,
    async callHeld({ hold }) {
      await hold?.begin({ call: CALL, approval: APPROVAL })
      throw new Error('the receipt could not be kept')
    },
  }
  const made = calls.make(surface, { target: { kind: 'text', text: 't' }, args: {} }, signal)
  await expect(made).rejects.toThrow('the receipt could not be kept')
  expect(live.isLive('t', 'call_1')).toBe(false)
})

async function aPlace() {
  const { open: openShared, clock } = await aSharedStore()
  const open = async (owner: string) => {
    const { store, live, work, closing } = await openShared(owner)
    const told = createToldEnds({ store, redact: (end) => end })
    const calls = createWaitingCalls({
      work,
      told,
      live,
      closing,
      holdMs: () => 0,
      desk: { park: async () => {} },
      createSurface: () => unused(),
      viewFor: () => unused(),
      answerOf: ({ outcome }) => ({ outcome: outcome.kind }),
    })
    return { calls, live, work, told }
  }
  return { open, clock }
}

function unused(): never {
  throw new Error('nothing is called here')
}
