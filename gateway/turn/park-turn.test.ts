import { describe, expect, test } from 'vitest'
import { CallerLeft } from '../../bridge/parking/caller-left.ts'
import { aHookRunner } from '../../bridge/testing/a-call-path.ts'
import type { RegisteredHook } from '../../bridge/hooks.ts'
import type { ModelCall, ModelResult } from '../../bridge/presentation/presentation.ts'
import { PARKED_UNTIL_MS, aKeeper, waitingCall } from './fixtures/a-keeper.ts'
import {
  aCall,
  aModel,
  aPresentation,
  aRequest,
  aResult,
  aTurn,
  calls,
  endOf,
  presented,
  runToEvents,
  says,
} from './fixtures/turn-makers.ts'
import { missingResult } from './steps/resume-step.ts'
import type { ChatCommand } from './resumer.ts'
import { resumeTurn } from './run-turn.ts'
import type { TurnDeps, TurnEvent } from './turn.ts'
import type { TurnState } from './turn-state.ts'

const NEVER = new AbortController().signal

async function resumed(
  state: TurnState | undefined,
  deps: TurnDeps,
  more: Partial<Omit<Parameters<typeof resumeTurn>[0], 'state'>> = {},
): Promise<readonly TurnEvent[]> {
  if (state === undefined) throw new Error('nothing was kept')
  const events: TurnEvent[] = []
  for await (const event of resumeTurn({ state, results: [], added: [], ...more }, deps, NEVER)) events.push(event)
  return events
}

function textOf(events: readonly TurnEvent[]): string {
  return events.map((event) => (event.kind === 'text' ? event.text : '')).join('')
}

/** `pay` waits, everything else is done at once. */
const payWaits = (call: ModelCall): ModelResult | Promise<ModelResult> =>
  call.name === 'pay' ? waitingCall(call) : aResult(`${call.name} done`)

describe('a turn whose call waits', () => {
  test('is parked with what its other calls gave, and goes on from there to its answer', async () => {
    const model = aModel(calls(aCall('a', 'look'), aCall('b', 'pay')), says('Paid.'))
    const { keeper, kept, parked } = aKeeper({ resume: () => aResult('paid 500') })
    const turn = aTurn({ provider: model, presentation: aPresentation({ handle: payWaits }), keeper, stored: [] })
    const events = await runToEvents(aRequest(), turn.deps)
    const { end, pending } = endOf(events, 'finished')
    expect([end, pending]).toEqual([
      'stop',
      [expect.objectContaining({ approval: 'apr_b', expiresMs: PARKED_UNTIL_MS })],
    ])
    expect(textOf(events)).toContain('/v1/approvals/apr_b')
    expect(parked).toEqual(['apr_b'])
    expect(turn.session.map(({ role }) => role)).toEqual(['user', 'assistant'])
    expect(turn.log.at(-1)).toMatchObject({ event: 'turn-finished', end: 'waiting' })

    const after = await resumed(kept(), turn.deps)
    expect(textOf(after)).toBe('Paid.')
    expect(model.asked[1]?.messages.slice(1)).toEqual([
      { role: 'assistant', content: null, tool_calls: [aCall('a', 'look'), aCall('b', 'pay')] },
      { role: 'tool', tool_call_id: 'a', content: 'look done' },
      { role: 'tool', tool_call_id: 'b', content: 'paid 500' },
    ])
    expect(turn.session.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'assistant',
      'tool',
      'tool',
      'assistant',
    ])
    expect(kept()).toBeUndefined()
  })

  test('waits again where what it waits for has not come, and tells so', async () => {
    const { keeper, kept } = aKeeper({ resume: () => waitAgain })
    const waitAgain = aResult('it waits', {
      waiting: [{ approval: 'apr_b', callId: 'b', tool: 'plugin:shop:pay', title: 'Pay 500', expiresMs: 2_000 }],
    })
    const presentation = aPresentation({ handle: payWaits })
    const turn = aTurn({ provider: aModel(calls(aCall('b', 'pay')), says('Paid.')), presentation, keeper })
    await runToEvents(aRequest(), turn.deps)
    expect(endOf(await resumed(kept(), turn.deps), 'finished').pending).toMatchObject([{ approval: 'apr_b' }])
    expect(kept()?.step?.calls).toMatchObject([{ state: { kind: 'call', pending: [{ expiresMs: PARKED_UNTIL_MS }] } }])
  })

  test('that was decided while it was held is as any other, and nothing of it is left', async () => {
    const { keeper, kept } = aKeeper({ holdMs: 60_000 })
    const during: unknown[] = []
    const handle = async ({ waiting, id }: ModelCall): Promise<ModelResult> => {
      const hold = waiting?.hold
      await waiting?.onRunWaiting('run_1', [{ approval: 'apr_1', callId: id, tool: 't', title: 'T', expiresMs: 1 }])
      during.push(kept()?.step?.calls[0]?.state.kind)
      await hold?.end(id)
      during.push(kept()?.step?.calls[0]?.state.kind)
      return aResult('done')
    }
    const turn = aTurn({
      provider: aModel(calls(aCall('a', 'one')), says('ok')),
      presentation: aPresentation({ handle }),
      keeper,
    })
    const events = await runToEvents(aRequest(), turn.deps)
    expect(events.map(({ kind }) => kind)).toEqual(['call-started', 'call-waiting', 'call-settled', 'text', 'finished'])
    expect(during).toEqual(['run', 'under-way'])
    expect(kept()).toBeUndefined()
  })

  test('is parked when its client leaves while it is held', async () => {
    const gone = new AbortController()
    const { keeper, kept } = aKeeper({ holdMs: 60_000 })
    const handle = (call: ModelCall): Promise<ModelResult> => {
      setTimeout(() => gone.abort(new CallerLeft('the client left')), 5)
      return waitingCall(call)
    }
    const turn = aTurn({
      provider: aModel(calls(aCall('a', 'pay'))),
      presentation: aPresentation({ handle }),
      keeper,
      stored: [],
    })
    await runToEvents(aRequest(), turn.deps, gone.signal)
    expect(kept()?.isParked).toBe(true)
    expect(turn.session).toHaveLength(2)
  })
})

describe('a turn whose gateway ended', () => {
  const state = (calls_: NonNullable<TurnState['step']>['calls']): TurnState => ({
    request: aRequest({ id: 'turn-1' }),
    toolsAllow: [],
    head: [],
    conversation: [{ role: 'user', content: 'hi' }],
    unsaved: [{ role: 'user', content: 'hi' }],
    hidden: [],
    steps: 1,
    failures: [],
    step: { text: '', calls: calls_ },
    clientKeys: [],
    isParked: false,
  })

  test('in the middle of a call tells the model that its end is not known, and makes it again never', async () => {
    const model = aModel(says('I will check.'))
    const presentation = aPresentation({})
    const { keeper } = aKeeper({})
    const turn = aTurn({ provider: model, presentation, keeper, stored: [] })
    const kept = state([
      { call: aCall('a', 'pay'), state: { kind: 'under-way' } },
      { call: aCall('b', 'look'), state: { kind: 'settled', text: 'seen', isError: false } },
    ])
    await resumed(kept, turn.deps)
    expect(model.asked[0]?.messages.slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: expect.stringContaining('not known') },
      { role: 'tool', tool_call_id: 'b', content: 'seen' },
    ])
    expect(presentation.handled).toEqual([])
    // What the session had not been told yet, it is told now.
    expect(turn.session[0]).toEqual({ role: 'user', content: 'hi' })
  })

  test('and that waits for a person and for its client goes on with either', async () => {
    const key = 'b'.repeat(24)
    const own = { kind: 'client', id: `call_${key}_1`, name: 'open_tab', arguments: {} } as const
    const pending = [{ approval: 'apr_1', callId: 'b', tool: 't', title: 'T', expiresMs: 1 }]
    const kept = {
      ...state([
        { call: aCall('a', 'open_tab'), state: own },
        { call: aCall('b', 'tool_search_code'), state: { kind: 'run', run: 'run_1', pending } },
      ]),
      clientKeys: [key],
    }
    const { keeper } = aKeeper({ resume: (run) => aResult(`${run} done`) })
    const turn = aTurn({ provider: aModel(says('never')), keeper })
    const { end, calls: left } = endOf(await resumed(kept, turn.deps), 'finished')
    expect([end, left.map(({ id }) => id)]).toEqual(['tool_calls', [own.id]])
    // What it has come to waits under the id that the client knows.
    expect(turn.hidden.get(`default/${key}`)).toEqual([
      expect.objectContaining({ role: 'assistant' }),
      { role: 'tool', tool_call_id: 'b', content: 'run_1 done' },
    ])
  })

  test('takes results of the client for the model’s and for a program’s calls in one request', async () => {
    const key = 'a'.repeat(24)
    const own = { kind: 'client', id: `call_${key}_9`, name: 'open_tab', arguments: {} } as const
    const pending = [{ clientCall: `call_${key}_1`, tool: 'client:client:open_tab', name: 'open_tab', args: {} }]
    const kept = state([
      { call: aCall('a', 'open_tab'), state: own },
      { call: aCall('b', 'tool_search_code'), state: { kind: 'run', run: 'run_1', pending } },
    ])
    const model = aModel(says('Opened.'))
    const { keeper, answers } = aKeeper({ resume: (run) => aResult(`${run} done`) })
    const turn = aTurn({ provider: model, keeper })
    const results = [own.id, `call_${key}_1`].map(
      (id) => ({ role: 'tool', tool_call_id: id, content: `${id} result` }) as const,
    )
    const [first] = results
    if (first === undefined) throw new Error('there is no result')
    expect(missingResult({ state: kept, results: [first] })).toBe(`call_${key}_1`)
    expect(missingResult({ state: kept, results })).toBeUndefined()
    await resumed(kept, turn.deps, { results, added: [{ role: 'user', content: 'and?' }] })
    expect(answers).toEqual(new Map([[`call_${key}_1`, `call_${key}_1 result`]]))
    expect(model.asked[0]?.messages.slice(1)).toEqual([
      expect.objectContaining({ role: 'assistant' }),
      { role: 'tool', tool_call_id: own.id, content: `${own.id} result` },
      { role: 'tool', tool_call_id: 'b', content: 'run_1 done' },
      { role: 'user', content: 'and?' },
    ])
  })
})

const APPROVES: ChatCommand = {
  answer: async (text) => (text.startsWith('/approve') ? 'Approved.' : undefined),
  isHeardFrom: () => true,
}

describe('a line for the gateway', () => {
  test('is answered by it, without the model and ahead of the session’s queue', async () => {
    const model = aModel(says('never'))
    const turn = aTurn({
      provider: model,
      stored: [],
      enterSession: () => new Promise(() => {}),
      chatCommand: APPROVES,
    })
    const events = await runToEvents(aRequest({ messages: [{ role: 'user', content: '/approve x' }] }), turn.deps)
    expect(textOf(events)).toBe('Approved.')
    expect(model.asked).toEqual([])
    expect(turn.session).toEqual([
      { role: 'user', content: '/approve x' },
      { role: 'assistant', content: 'Approved.' },
    ])
  })

  test('keeps what was filled in to itself: neither the session nor the model hears of it', async () => {
    const model = aModel(says('hello'))
    const chatCommand = APPROVES
    const line = { role: 'user', content: '/approve apr_0123456789abcdef password="hunter 2"' } as const
    const turn = aTurn({ provider: model, stored: [], chatCommand })
    await runToEvents(aRequest({ messages: [line] }), turn.deps)
    expect(turn.session).toMatchObject([{ content: '/approve apr_0123456789abcdef …' }, { content: 'Approved.' }])
    const again = { role: 'user', content: '/approve password=hunter2 please' } as const
    const messages = [line, again, { role: 'user', content: 'and now?' } as const]
    await runToEvents(aRequest({ messages }), aTurn({ provider: model, chatCommand }).deps)
    expect(JSON.stringify(model.asked)).toContain('and now?')
    expect(JSON.stringify(model.asked)).not.toContain('hunter')
  })
})

describe('hooks of a turn', () => {
  const hooks = (...registered: readonly RegisteredHook[]): Pick<TurnDeps, 'hooks'> => ({
    hooks: aHookRunner(registered),
  })
  const common = { plugin: 'guard', priority: 0 }

  test('may refuse it before the model is asked', async () => {
    const model = aModel(says('never'))
    const block = { ...common, event: 'turn_start' as const, handler: () => ({ block: true, blockReason: 'closed' }) }
    const events = await runToEvents(aRequest(), aTurn({ provider: model, ...hooks(block) }).deps)
    expect(endOf(events, 'failed').failure).toEqual({ code: 'turn_blocked', message: 'closed' })
    expect(model.asked).toEqual([])
  })

  test('narrow its tools, change the parameters of its steps and watch', async () => {
    const seen: unknown[] = []
    const shown: unknown[] = []
    const model = aModel(says('hello'))
    const turn = aTurn({
      provider: model,
      present: async (toolsAllow) => {
        shown.push(toolsAllow)
        return presented(aPresentation({}))
      },
      ...hooks(
        { ...common, event: 'turn_start', handler: () => ({ toolsAllow: ['read_*'] }) },
        { ...common, event: 'before_model_call', handler: ({ params }) => ({ params: { ...params, temperature: 0 } }) },
        { ...common, event: 'after_model_call', handler: ({ text, model: name }) => void seen.push(name, text) },
        { ...common, event: 'turn_end', handler: ({ end, steps }) => void seen.push(end, steps) },
      ),
    })
    await runToEvents(aRequest({ parameters: { top_p: 1 } }), turn.deps)
    expect(shown).toEqual([[['read_*']]])
    expect(model.asked[0]?.parameters).toEqual({ top_p: 1, temperature: 0 })
    expect(seen).toEqual(['fake/m', 'hello', 'stop', 1])
  })

  test('may refuse a step, which ends the turn', async () => {
    const block = { ...common, event: 'before_model_call' as const, handler: () => ({ block: true }) }
    const events = await runToEvents(aRequest(), aTurn({ ...hooks(block) }).deps)
    expect(endOf(events, 'failed').failure.code).toBe('turn_blocked')
  })
})
