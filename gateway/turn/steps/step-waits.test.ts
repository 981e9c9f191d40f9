import { expect, test } from 'vitest'
import type { Approval } from '../../../bridge/approval.ts'
import type { FrozenCall } from '../../../bridge/approving/frozen-call.ts'
import { CallerLeft } from '../../../bridge/parking/caller-left.ts'
import { StepWaits } from './step-waits.ts'

const CALL = { id: 'c1', type: 'function' as const, function: { name: 'pay', arguments: '{}' } }

const FROZEN: FrozenCall = {
  callId: 'call_1',
  receiptId: 'receipt_1',
  requested: 'pay',
  toolId: 'mcp:bank:pay',
  schemaHash: 'hash',
  input: {},
  notices: [],
}

const APPROVAL: Approval = {
  id: 'approval_1',
  tenant: 'main',
  agent: 'main',
  state: 'pending',
  callId: FROZEN.callId,
  toolId: FROZEN.toolId,
  schemaHash: FROZEN.schemaHash,
  inputHash: 'hash',
  input: FROZEN.input,
  title: 'Pay',
  description: 'Pay somebody.',
  severity: 'warning',
  allowedDecisions: ['allow-once', 'deny'],
  cause: { by: 'rule', where: 'tools.rules[0]' },
  createdMs: 0,
  expiresMs: 1000,
}

function openStep({ holdMs }: { readonly holdMs: number }) {
  const keeping = Promise.withResolvers<void>()
  const waits = new StepWaits({
    turnId: 'turn_1',
    calls: [{ call: CALL, state: { kind: 'under-way' } }],
    holdMs,
    isKept: false,
    keep: () => keeping.promise,
    onWaiting: () => {},
  })
  const caller = new AbortController()
  waits.follow(caller.signal)
  const { hold } = waits.forCall(0)
  return { waits, caller, hold, kept: keeping.resolve }
}

test('parks a call at once whose caller leaves while its wait is being kept', async () => {
  const { waits, caller, hold, kept } = openStep({ holdMs: 60_000 })
  const begun = hold.begin({ call: FROZEN, approval: APPROVAL })
  caller.abort(new CallerLeft())
  kept()
  await begun
  expect(hold.parked.aborted).toBe(true)
  waits.close()
})

test('goes on holding a call while its caller is there', async () => {
  const { waits, hold, kept } = openStep({ holdMs: 60_000 })
  kept()
  await hold.begin({ call: FROZEN, approval: APPROVAL })
  expect(hold.parked.aborted).toBe(false)
  waits.close()
})
