import { describe, expect, test } from 'vitest'
import { aTool } from '../../catalog/testing/a-tool.ts'
import type { JsonObject } from '../../catalog/json.ts'
import { hashJson } from '../../catalog/json.ts'
import type { Tool } from '../../catalog/tool.ts'
import { aView } from '../../catalog/testing/a-view.ts'
import type { Verdict } from '../../policy/decide.ts'
import type { CallHold, Wait } from '../approving/call-hold.ts'
import { pendingOf } from '../approving/ask-approval.ts'
import { createDispatcher } from '../dispatcher.ts'
import type { RegisteredHook } from '../hooks.ts'
import type { SettledCall } from '../outcome.ts'
import { CallerLeft } from '../parking/caller-left.ts'
import type { Receipt } from '../receipt.ts'
import { aCallPath, aHookRunner } from '../testing/a-call-path.ts'
import { createMemoryDesk } from '../testing/memory-desk.ts'
import type { CallTarget, DispatcherDeps } from './call-request.ts'

const ASK: Verdict = { kind: 'ask', rule: 'tools.rules[0]', reason: 'over 100' }
const ECHO: CallTarget = { kind: 'text', text: 'echo' }

interface World {
  readonly deps?: Partial<DispatcherDeps>
  readonly hooks?: readonly RegisteredHook[]
  readonly tools?: readonly Tool[]
}

function aWorld({ deps = {}, hooks = [], tools }: World = {}) {
  const desk = createMemoryDesk()
  const ran: JsonObject[] = []
  const receipts: Receipt[] = []
  const echo = aTool({
    execute: async (args) => {
      ran.push(args)
      return { content: [], structured: args }
    },
  })
  const all = tools ?? [echo]
  const byId = new Map(all.map((tool) => [tool.id, tool]))
  const view = aView(all)
  let ids = 0
  const path = aCallPath({
    current: (id) => byId.get(id),
    decide: () => ASK,
    hooks: aHookRunner(hooks),
    desk,
    writeReceipt: async (receipt) => void receipts.push(receipt),
    redact: (text) => text.replaceAll('SECRET', '[redacted]'),
    newId: () => `rc_${(ids += 1)}`,
    ...deps,
  })
  const dispatch = createDispatcher(path)
  const caller = { tenant: 't', agent: 'default' }
  const call = (
    target: CallTarget = ECHO,
    { hold, signal = new AbortController().signal }: { hold?: CallHold; signal?: AbortSignal } = {},
  ): Promise<SettledCall> =>
    dispatch({ callId: 'c1', target, args: { amount: 500 }, view, caller, ...(hold && { hold }) }, signal)
  return { desk, ran, receipts, call, echo }
}

function aHold(more: Partial<CallHold> = {}) {
  const waits: Wait[] = []
  const ended: string[] = []
  const parking = new AbortController()
  const hold: CallHold = {
    async begin(wait) {
      waits.push(wait)
      if (wait.approval !== undefined) return pendingOf(wait.approval)
      return { clientCall: 'call_1', tool: wait.call.toolId, name: 'open_tab', args: wait.call.input }
    },
    end: async (callId) => void ended.push(callId),
    parked: parking.signal,
    reachesClient: false,
    ...more,
  }
  return { hold, waits, ended, park: () => parking.abort() }
}

describe('a call that has to be asked about', () => {
  test('runs with exactly the input that was asked about, once it is allowed', async () => {
    const { desk, ran, receipts, call } = aWorld()
    const calling = call()
    const row = await desk.opened(1)
    expect(ran).toEqual([])
    expect(row).toMatchObject({
      state: 'pending',
      callId: 'c1',
      inputHash: hashJson({ amount: 500 }),
      cause: { by: 'rule', where: 'tools.rules[0]', reason: 'over 100' },
    })
    desk.decide(row.id, 'allowed-once')
    expect((await calling).outcome).toMatchObject({ kind: 'ok', value: { amount: 500 } })
    expect(ran).toEqual([{ amount: 500 }])
    expect(receipts).toMatchObject([{ outcome: 'ok', approval: row.id }])
  })

  test.each([
    ['denied', 'rejected', /denied by tok_admin: too much/],
    ['cancelled', 'rejected', /cancelled/],
    ['expired', 'expired', /nobody decided/],
  ] as const)('that is %s ends %s and is not made', async (state, kind, message) => {
    const { desk, ran, receipts, call } = aWorld()
    const calling = call()
    desk.decide((await desk.opened(1)).id, state, { decidedBy: 'tok_admin', reason: 'too much' })
    expect((await calling).outcome).toMatchObject({ kind, effect: 'none', message: expect.stringMatching(message) })
    expect(ran).toEqual([])
    expect(receipts).toMatchObject([{ outcome: kind, effect: 'none', approval: 'ap_1' }])
  })

  test('is not made where so many wait that nobody is asked, and says what is full', async () => {
    const open = async () => ({ state: 'no-room', reason: '3 calls wait already (approvals.maxPending)' }) as const
    const full = aWorld({ deps: { desk: { ...createMemoryDesk(), open } } })
    const { outcome } = await full.call()
    expect(outcome).toMatchObject({ kind: 'busy', effect: 'none' })
    expect(outcome).toHaveProperty('message', expect.stringContaining('3 calls wait already (approvals.maxPending)'))
    expect(full.ran).toEqual([])
  })

  test('is not made where nobody can be asked, and where the desk fails', async () => {
    const refused = aWorld({ deps: { desk: { ...createMemoryDesk(), open: () => Promise.reject(new Error('full')) } } })
    expect((await refused.call()).outcome).toMatchObject({ kind: 'rejected', effect: 'none' })
    const desk = createMemoryDesk()
    const lost = aWorld({ deps: { desk: { ...desk, settled: () => Promise.reject(new Error('gone')) } } })
    expect((await lost.call()).outcome).toMatchObject({ kind: 'rejected', effect: 'none' })
    expect(desk.rows()).toMatchObject([{ state: 'cancelled' }])
    expect([...refused.ran, ...lost.ran]).toEqual([])
  })

  test('whose tool changed, went or was denied meanwhile is not made, whatever was decided', async () => {
    let verdict: Verdict = ASK
    const policy = aWorld({ deps: { decide: () => verdict } })
    const calling = policy.call()
    await policy.desk.opened(1)
    verdict = { kind: 'deny', layer: 'tools', rule: 'echo' }
    policy.desk.decide('c1', 'allowed-always')
    expect((await calling).outcome.kind).toBe('denied')

    let tool: Tool | undefined = aTool()
    for (const next of [aTool({ inputSchema: { type: 'object', title: 'another' } }), undefined]) {
      tool = aTool()
      const world = aWorld({ deps: { current: () => tool } })
      const waiting = world.call()
      await world.desk.opened(1)
      tool = next
      world.desk.decide('c1', 'allowed-once')
      expect((await waiting).outcome.kind).toBe(next === undefined ? 'unavailable' : 'stale-tool')
      expect(world.ran).toEqual([])
    }
  })

  test('by a hook is asked about with the hook’s words, though policy allows it', async () => {
    const { desk, call } = aWorld({
      deps: { decide: () => ({ kind: 'allow' }) },
      hooks: [
        {
          event: 'before_tool_call',
          plugin: 'guard',
          priority: 0,
          handler: () => ({ params: { amount: 1 }, requireApproval: { title: 'Really?', allowedDecisions: ['deny'] } }),
        },
      ],
    })
    const calling = call()
    expect(await desk.opened(1)).toMatchObject({
      title: 'Really?',
      input: { amount: 1 },
      allowedDecisions: ['deny'],
      cause: { by: 'hook', where: 'guard' },
    })
    desk.decide('c1', 'denied')
    expect((await calling).outcome.kind).toBe('rejected')
  })

  test('that is cancelled cancels its approval', async () => {
    const { desk, ran, call } = aWorld()
    const stop = new AbortController()
    const calling = call(ECHO, { signal: stop.signal })
    await desk.opened(1)
    stop.abort()
    expect((await calling).outcome).toMatchObject({ kind: 'cancelled', effect: 'none' })
    expect(desk.rows()).toMatchObject([{ state: 'cancelled' }])
    expect(ran).toEqual([])
  })

  test('that somebody keeps is not cancelled because whoever asked has left', async () => {
    const { desk, receipts, call } = aWorld()
    const { hold, park } = aHold()
    const gone = new AbortController()
    const calling = call(ECHO, { hold, signal: gone.signal })
    await desk.opened(1)
    gone.abort(new CallerLeft('the client left'))
    await new Promise(setImmediate)
    park()
    expect((await calling).outcome.kind).toBe('waiting')
    expect(desk.rows()).toMatchObject([{ state: 'pending' }])
    expect(receipts).toEqual([])
  })
})

describe('a parked call', () => {
  test('is made later in its frozen form, without its hooks, with the same receipt and approval', async () => {
    let asked = 0
    const hook: RegisteredHook = {
      event: 'before_tool_call',
      plugin: 'stamp',
      priority: 0,
      handler: ({ params }) => ({ params: { ...params, stamp: (asked += 1) } }),
    }
    const { desk, ran, receipts, call } = aWorld({ hooks: [hook] })
    const { hold, waits, park } = aHold()
    const calling = call(ECHO, { hold })
    await desk.opened(1)
    await new Promise(setImmediate)
    park()
    const settled = await calling
    expect(settled.outcome).toMatchObject({ kind: 'waiting', effect: 'none', pending: { approval: 'ap_1' } })
    expect(receipts).toEqual([])
    expect(desk.rows()).toMatchObject([{ state: 'pending' }])

    desk.decide('ap_1', 'allowed-once')
    const [wait] = waits
    if (wait === undefined) throw new Error('it did not wait')
    const later = aHold()
    const made = await call({ kind: 'frozen', call: wait.call }, { hold: later.hold })
    expect(made.outcome).toMatchObject({ kind: 'ok', value: { amount: 500, stamp: 1 } })
    expect(made.receiptId).toBe(settled.receiptId)
    expect([asked, ran.length, later.ended]).toEqual([1, 1, ['c1']])
    expect(desk.rows()).toHaveLength(1)
    expect(receipts).toMatchObject([{ id: settled.receiptId, approval: 'ap_1', outcome: 'ok' }])
  })

  test('is shown to guards that came while it waited, and to them alone', async () => {
    const shown: string[] = []
    const guard = (plugin: string, decision: () => object | undefined): RegisteredHook => ({
      event: 'before_tool_call',
      plugin,
      priority: 0,
      handler: ({ params }) => {
        shown.push(`${plugin} ${JSON.stringify(params)}`)
        return decision()
      },
    })
    const hooks = [guard('first', () => ({ params: { amount: 7 } }))]
    const outcomeWith = async (late: RegisteredHook) => {
      const world = aWorld({ hooks: [...hooks] })
      const { hold, waits, park } = aHold()
      const calling = world.call(ECHO, { hold })
      await world.desk.opened(1)
      await new Promise(setImmediate)
      park()
      await calling
      world.desk.decide('ap_1', 'allowed-once')
      const [wait] = waits
      if (wait === undefined) throw new Error('it did not wait')
      const target = { kind: 'frozen', call: JSON.parse(JSON.stringify(wait.call)) } as const
      const again = aWorld({ hooks: [...hooks, late], deps: { desk: world.desk } })
      return { ...(await again.call(target, { hold: aHold().hold })), ran: again.ran }
    }
    const blocked = await outcomeWith(guard('late', () => ({ block: true, blockReason: 'not any more' })))
    expect(blocked.outcome).toMatchObject({ kind: 'denied', message: expect.stringContaining('not any more') })
    expect(blocked.ran).toEqual([])
    expect(shown).toEqual(['first {"amount":500}', 'late {"amount":7}'])
    const changed = await outcomeWith(guard('late', () => ({ params: { amount: 8 } })))
    expect(changed.outcome).toMatchObject({ kind: 'denied', message: expect.stringContaining('plugin "late"') })
    const asking = await outcomeWith(guard('late', () => ({ requireApproval: {}, params: { amount: 7 } })))
    expect([asking.outcome.kind, asking.ran]).toEqual(['ok', [{ amount: 7 }]])
  })

  test('that is cancelled while such a guard thinks about it was cancelled, and not refused by the guard', async () => {
    const hooks: RegisteredHook[] = []
    const { desk, ran, call } = aWorld({ hooks })
    const stop = new AbortController()
    const calling = call(ECHO, { signal: stop.signal })
    await desk.opened(1)
    const asked = Promise.withResolvers<void>()
    const handler = (): Promise<never> => {
      asked.resolve()
      return new Promise(() => {})
    }
    hooks.push({ event: 'before_tool_call', plugin: 'late', priority: 0, handler })
    desk.decide('c1', 'allowed-once')
    await asked.promise
    stop.abort()
    expect((await calling).outcome).toMatchObject({ kind: 'cancelled', effect: 'none' })
    expect(ran).toEqual([])
  })

  test('that is only held is shown to a guard that came meanwhile, too', async () => {
    const hooks: RegisteredHook[] = []
    const { desk, ran, call } = aWorld({ hooks })
    const calling = call()
    await desk.opened(1)
    hooks.push({ event: 'before_tool_call', plugin: 'late', priority: 0, handler: () => ({ block: true }) })
    desk.decide('c1', 'allowed-once')
    expect((await calling).outcome).toMatchObject({ kind: 'denied', effect: 'none' })
    expect(ran).toEqual([])
  })

  test('whose beginning cannot be written down is not made', async () => {
    const { desk, ran, call } = aWorld()
    const { hold } = aHold({ end: () => Promise.reject(new Error('disk full')) })
    const calling = call(ECHO, { hold })
    desk.decide((await desk.opened(1)).id, 'allowed-once')
    expect((await calling).outcome).toMatchObject({ kind: 'unavailable', effect: 'none' })
    expect(ran).toEqual([])
  })

  test('whose receipt could not be written is not made, asked about or not, and its wait stays as it was', async () => {
    const ended: string[] = []
    const checkReceipts = () => Promise.reject(new Error('disk full'))
    const { desk, ran, receipts, call } = aWorld({ deps: { checkReceipts } })
    const { hold } = aHold({ end: async (id) => void ended.push(id) })
    const calling = call(ECHO, { hold })
    desk.decide((await desk.opened(1)).id, 'allowed-once')
    expect((await calling).outcome).toMatchObject({ kind: 'unavailable', effect: 'none' })
    const free = aWorld({ deps: { checkReceipts, decide: () => ({ kind: 'allow' }) } })
    expect((await free.call()).outcome).toMatchObject({ kind: 'unavailable', effect: 'none' })
    expect([ran, free.ran, ended]).toEqual([[], [], []])
    expect(receipts).toMatchObject([{ outcome: 'unavailable', effect: 'none' }])
  })

  test('whose tool has another schema now cancels its approval', async () => {
    const { desk, call, echo } = aWorld()
    const { hold, waits, park } = aHold()
    const calling = call(ECHO, { hold })
    await desk.opened(1)
    await new Promise(setImmediate)
    park()
    await calling
    const [wait] = waits
    if (wait === undefined) throw new Error('it did not wait')
    expect(wait.call.schemaHash).toBe(echo.schemaHash)
    const frozen = { ...wait.call, schemaHash: 'of-another-day' }
    expect((await call({ kind: 'frozen', call: frozen })).outcome.kind).toBe('stale-tool')
    expect(desk.rows()).toMatchObject([{ state: 'cancelled' }])
  })
})

describe('a call of the client’s tool', () => {
  const { execute: _none, ...openTab } = aTool({ source: 'client', owner: 'client', name: 'open_tab' })
  const target: CallTarget = { kind: 'text', text: 'open_tab' }

  test('waits for the client where that can be reached, and its answer is the tool’s', async () => {
    const { receipts, call } = aWorld({ tools: [openTab], deps: { decide: () => ({ kind: 'allow' }) } })
    const { hold, waits, park } = aHold({ reachesClient: true })
    const calling = call(target, { hold })
    await new Promise(setImmediate)
    park()
    expect((await calling).outcome).toMatchObject({ kind: 'waiting', pending: { name: 'open_tab' } })
    const [wait] = waits
    if (wait === undefined) throw new Error('it did not wait')
    const answered = await call({ kind: 'frozen', call: wait.call, answer: 'tab 7' }, aHold({ reachesClient: true }))
    expect(answered.outcome).toMatchObject({ kind: 'ok', result: { content: [{ type: 'text', text: 'tab 7' }] } })
    expect(receipts).toMatchObject([{ outcome: 'ok', toolId: 'client:client:open_tab' }])
  })

  test('is refused where the client cannot be reached', async () => {
    const { call } = aWorld({ tools: [openTab] })
    expect((await call(target, aHold())).outcome.kind).toBe('client-tool')
  })
})
