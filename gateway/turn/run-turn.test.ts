import { describe, expect, test } from 'vitest'
import type { RunTelemetry } from '../../bridge/run.ts'
import type { ChatMessage, ToolCallPart } from '../providers/provider.ts'
import { ProviderError } from '../providers/provider.ts'
import { TURN_STEPS_MAX } from './limits.ts'
import { runTurn } from './run-turn.ts'
import type { FakeModel } from './fixtures/turn-makers.ts'
import {
  aCall,
  aModel,
  aPresentation,
  aRequest,
  aResult,
  aTool,
  aTurn,
  calls,
  endOf,
  presented,
  runToEvents,
  says,
} from './fixtures/turn-makers.ts'

describe('the loop', () => {
  test('results go back to the model until it answers, and usage is summed over the steps', async () => {
    const usage = { promptTokens: 10, completionTokens: 2, totalTokens: 12 }
    const model = aModel(
      [
        { kind: 'text', text: 'Let me look.' },
        { kind: 'tool-call', call: aCall('a', 'one', '{"x":1}') },
        { kind: 'finish', reason: 'tool_calls', usage },
      ],
      says('It is 42.', { ...usage, cachedPromptTokens: 8 }),
    )
    const turn = aTurn({ provider: model, presentation: aPresentation({ handle: () => aResult('42') }) })
    const events = await runToEvents(aRequest(), turn.deps)
    expect(events.map((event) => (event.kind === 'text' ? event.text : event.kind)).join('|')).toBe(
      'Let me look.|call-started|call-settled|\n\n|It is 42.|finished',
    )
    expect(endOf(events, 'finished')).toEqual({
      kind: 'finished',
      end: 'stop',
      calls: [],
      usage: { promptTokens: 20, completionTokens: 4, totalTokens: 24, cachedPromptTokens: 8 },
    })
    expect(model.asked[1]?.messages).toEqual([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Let me look.', tool_calls: [aCall('a', 'one', '{"x":1}')] },
      { role: 'tool', tool_call_id: 'a', content: '42' },
    ])
  })

  test('reasoning goes back to the model with the calls that it led to, and to nobody else', async () => {
    const reasoning = { reasoning_content: 'I need one.' }
    const model = aModel(
      [
        { kind: 'tool-call', call: aCall('a', 'one') },
        { kind: 'finish', reason: 'tool_calls', reasoning },
      ],
      says('ok'),
    )
    const events = await runToEvents(aRequest(), aTurn({ provider: model }).deps)
    expect(model.asked[1]?.messages[1]).toEqual({
      role: 'assistant',
      content: null,
      reasoning_content: 'I need one.',
      tool_calls: [aCall('a', 'one')],
    })
    expect(JSON.stringify(events)).not.toContain('I need one.')
  })

  test('the presentation is asked anew for each step', async () => {
    const first = aPresentation({ tools: [aTool('one')] })
    const second = aPresentation({ tools: [aTool('one'), aTool('two')] })
    const shown = [first, second]
    const model = aModel(calls(aCall('a', 'one')), says('ok'))
    await runToEvents(
      aRequest(),
      aTurn({ provider: model, present: async () => presented(shown.shift() ?? second) }).deps,
    )
    expect(model.asked.map((request) => request.tools.map((tool) => tool.name))).toEqual([['one'], ['one', 'two']])
    expect(first.handled).toHaveLength(1)
  })

  test('calls of one step run side by side, and their results go back in order', async () => {
    const release = Promise.withResolvers<void>()
    const settled: string[] = []
    const presentation = aPresentation({
      handle: async (call) => {
        // The first one ends only after the second has.
        if (call.id === 'a') await release.promise
        else release.resolve()
        settled.push(call.id)
        return aResult(`result of ${call.id}`)
      },
    })
    const model = aModel(calls(aCall('a', 'one'), aCall('b', 'one')), says('ok'))
    await runToEvents(aRequest(), aTurn({ provider: model, presentation }).deps)
    expect(settled).toEqual(['b', 'a'])
    expect(model.asked[1]?.messages.slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'result of a' },
      { role: 'tool', tool_call_id: 'b', content: 'result of b' },
    ])
  })

  test('no more than eight calls of a step are under way at once', async () => {
    let underWay = 0
    let most = 0
    const presentation = aPresentation({
      handle: async () => {
        underWay += 1
        most = Math.max(most, underWay)
        await new Promise(setImmediate)
        underWay -= 1
        return aResult('ok')
      },
    })
    const many = Array.from({ length: 30 }, (_, index) => aCall(`c${index}`, 'one', `{"n":${index}}`))
    await runToEvents(aRequest(), aTurn({ provider: aModel(calls(...many), says('ok')), presentation }).deps)
    expect(most).toBe(8)
    expect(presentation.handled).toHaveLength(30)
  })

  test('an identical second call in a step or a turn runs again', async () => {
    const presentation = aPresentation({})
    const model = aModel(calls(theSame('a'), theSame('b')), calls(theSame('c')), says('ok'))
    await runToEvents(aRequest(), aTurn({ provider: model, presentation }).deps)
    expect(presentation.handled.map((call) => call.id)).toEqual(['a', 'b', 'c'])
  })

  test('white space around a name is not part of it, and an empty result is a finished one', async () => {
    const presentation = aPresentation({ handle: () => aResult('') })
    const model = aModel(calls(aCall('a', ' one\n')), says('ok'))
    const events = await runToEvents(aRequest(), aTurn({ provider: model, presentation }).deps)
    expect(presentation.handled[0]?.name).toBe('one')
    expect(model.asked[1]?.messages.at(-1)).toEqual({ role: 'tool', tool_call_id: 'a', content: '' })
    expect(endOf(events, 'finished').end).toBe('stop')
  })

  test('the same failing call is not run a fourth time, and a changed one is', async () => {
    const presentation = aPresentation({ handle: () => aResult('no such tool', { isError: true }) })
    const again = calls(aCall('a', 'oen', '{}'))
    const model = aModel(again, again, again, again, calls(aCall('b', 'oen', '{"x":1}')), says('sorry'))
    await runToEvents(aRequest(), aTurn({ provider: model, presentation }).deps)
    expect(presentation.handled).toHaveLength(4)
    const refused = model.asked[4]?.messages.at(-1)
    expect(refused?.content).toContain('has failed 3 times in this turn and was not run again')
  })

  test('a model that never answers ends with a clear failure', async () => {
    let count = 0
    const model = aModel(async function* () {
      count += 1
      yield { kind: 'tool-call' as const, call: aCall(`c${count}`, 'one', `{"n":${count}}`) }
      yield { kind: 'finish' as const, reason: 'tool_calls' as const }
    })
    const events = await runToEvents(aRequest(), aTurn({ provider: model }).deps)
    const { failure } = endOf(events, 'failed')
    expect(failure.code).toBe('step_limit')
    expect(failure.message).toContain(`${TURN_STEPS_MAX} model steps`)
    expect(model.asked).toHaveLength(TURN_STEPS_MAX)
  })

  test('a model that goes on and on is asked for its answer in the last step', async () => {
    const search = calls(aCall('a', 'one', '{}'))
    const model = aModel(...Array.from({ length: TURN_STEPS_MAX - 1 }, () => search), says('half of it is done'))
    const events = await runToEvents(aRequest(), aTurn({ provider: model }).deps)
    expect(endOf(events, 'finished').end).toBe('stop')
    const [before, last] = model.asked.slice(-2)
    expect(before?.toolChoice).toBeUndefined()
    expect(last?.toolChoice).toBe('none')
    expect(JSON.stringify(last?.messages[0])).toContain('answer now from what you have')
    expect(JSON.stringify(before?.messages)).not.toContain('answer now')
  })

  test('an upstream failure is an end, a defect is thrown', async () => {
    const upstream = new ProviderError('provider "x" is over its limit', {
      code: 'upstream_rate_limited',
      retryAfterSeconds: 7,
    })
    const events = await runToEvents(aRequest(), aTurn({ provider: aBrokenModel(upstream) }).deps)
    expect(endOf(events, 'failed').failure).toEqual({
      code: 'upstream_rate_limited',
      message: 'provider "x" is over its limit',
      retryAfterSeconds: 7,
    })
    const turn = aTurn({ provider: aBrokenModel(new TypeError('a defect')) })
    await expect(runToEvents(aRequest(), turn.deps)).rejects.toThrow('a defect')
    expect(turn.log.at(-1)).toMatchObject({ event: 'turn-finished', end: 'defect' })
  })

  test('a failure after calls says that they were made', async () => {
    const provider = aModel(calls(aCall('a', 'one')), (request, signal) =>
      aBrokenModel(new ProviderError('it broke', { code: 'upstream_failed' })).step(request, signal),
    )
    const { failure } = endOf(await runToEvents(aRequest(), aTurn({ provider }).deps), 'failed')
    expect(failure.message).toMatch(/^it broke; tools were called in this turn before that/)
  })
})

describe('the prompt', () => {
  test('what changes least stands first, in one system message', async () => {
    const model = aModel(says('ok'))
    const presentation = aPresentation({ mode: 'tools', tools: [aTool('tool_search')] })
    const messages: readonly ChatMessage[] = [
      { role: 'developer', content: 'Be brief.' },
      { role: 'system', content: [{ type: 'text', text: 'Answer in German.', cache_control: { type: 'ephemeral' } }] },
      { role: 'user', content: 'hi' },
    ]
    await runToEvents(
      aRequest({ messages }),
      aTurn({ provider: model, presentation, instructions: 'You are Ada.' }).deps,
    )
    const [system, ...rest] = model.asked[0]?.messages ?? []
    expect(rest).toEqual([{ role: 'user', content: 'hi' }])
    const parts = system !== undefined && Array.isArray(system.content) ? system.content : []
    expect(parts.map((part) => String(part['text']).slice(0, 17))).toEqual([
      'You are Ada.',
      'Many more tools t',
      'Be brief.',
      'Answer in German.',
    ])
    expect(parts[3]).toHaveProperty('cache_control')
  })

  test('parameters reach the provider as they came', async () => {
    const model = aModel(says('ok'))
    await runToEvents(aRequest({ parameters: { temperature: 0, max_tokens: 5 } }), aTurn({ provider: model }).deps)
    expect(model.asked[0]?.parameters).toEqual({ temperature: 0, max_tokens: 5 })
  })
})

describe('leaving', () => {
  test('a consumer that stops aborts the model step and the turn says so in its log', async () => {
    const closed = Promise.withResolvers<boolean>()
    const model = aModel(async function* (_request, signal) {
      try {
        yield { kind: 'text' as const, text: 'Hel' }
        yield { kind: 'text' as const, text: 'lo' }
      } finally {
        closed.resolve(signal.aborted)
      }
    })
    const turn = aTurn({ provider: model })
    for await (const event of runTurn(aRequest(), turn.deps, new AbortController().signal)) {
      expect(event).toEqual({ kind: 'text', text: 'Hel' })
      break
    }
    expect(await closed.promise).toBe(true)
    expect(turn.log.at(-1)).toMatchObject({ event: 'turn-finished', end: 'cancelled' })
  })

  test('an abort while tools run reaches them, ends without an event, and keeps what was done', async () => {
    const leave = new AbortController()
    const presentation = aPresentation({
      handle: async (_call, signal) => {
        setImmediate(() => leave.abort())
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return aResult('cancelled; the effect is unknown', { isError: true })
      },
    })
    const turn = aTurn({ provider: aModel(calls(aCall('a', 'one'))), presentation, stored: [] })
    const events = await runToEvents(aRequest(), turn.deps, leave.signal)
    expect(events.map((event) => event.kind)).toEqual(['call-started', 'call-settled'])
    expect(turn.session.map((message) => message.role)).toEqual(['user', 'assistant', 'tool'])
    expect(turn.log.at(-1)).toMatchObject({ event: 'turn-finished', end: 'cancelled' })
  })
})

describe('the session log', () => {
  test('is whole before the client learns that the turn has ended', async () => {
    const turn = aTurn({ provider: aModel(says('Hi')) })
    const lastLines: string[] = []
    for await (const event of runTurn(aRequest(), turn.deps, new AbortController().signal)) {
      lastLines.push(`${event.kind}: ${turn.log.at(-1)?.event}`)
    }
    expect(lastLines).toEqual(['text: turn-started', 'finished: turn-finished'])
    expect(turn.log.filter((event) => event.event === 'turn-finished')).toHaveLength(1)
  })

  test('tells of no time below 0 where the clock is set back meanwhile', async () => {
    const turn = aTurn({ provider: aModel(calls(aCall('a', 'one')), says('ok')) })
    let nowMs = 1_000_000
    const events = await runToEvents(aRequest(), { ...turn.deps, nowMs: () => (nowMs -= 1000) })
    const steps = turn.log.filter((event) => 'ms' in event)
    expect(steps.map(({ event, ms }) => [event, ms])).toEqual([
      ['model-step-finished', 0],
      ['call-settled', 0],
      ['model-step-finished', 0],
      ['turn-finished', 0],
    ])
    expect(events).toContainEqual(expect.objectContaining({ kind: 'call-settled', ms: 0 }))
  })

  test('answers what the model saw, what it did and what direct would have cost', async () => {
    const telemetry: RunTelemetry = {
      catalogSize: 36,
      sources: { plugin: 36 },
      searches: 1,
      describes: 1,
      calls: 1,
      cpuMs: 1,
      wallMs: 2,
      heapPeakBytes: 3,
      bytesIn: 4,
      bytesOut: 5,
      worker: 'kept',
    }
    const inner = { id: 'i1', tool: 'plugin:demo:add', outcome: 'ok', effect: 'done', ms: 3 } as const
    const presentation = aPresentation({
      mode: 'code',
      tools: [aTool('tool_search_code')],
      handle: () =>
        aResult('{"value":3}', { searches: 1, describes: 1, calls: [inner], run: { id: 'run-1', telemetry } }),
    })
    const usage = { promptTokens: 10, completionTokens: 2, totalTokens: 12 }
    const model = aModel(calls(aCall('a', 'tool_search_code')), says('3', usage))
    const turn = aTurn({ provider: model, presentation })
    await runToEvents(aRequest(), turn.deps)
    expect(turn.log.map(({ atMs: _atMs, ...event }) => event)).toEqual([
      {
        event: 'turn-started',
        turn: 'turn-1',
        agent: 'default',
        model: 'm',
        mode: 'code',
        catalogSize: 36,
        sources: { plugin: 36 },
        toolsDeclared: 1,
        toolsBytes: Buffer.byteLength(JSON.stringify([{ type: 'function', function: aTool('tool_search_code') }])),
        directTools: 36,
        directBytes: 9000,
      },
      expect.objectContaining({ event: 'model-step-finished', step: 1, finishReason: 'tool_calls', usage: null }),
      {
        event: 'call-settled',
        turn: 'turn-1',
        step: 1,
        callId: 'i1',
        tool: 'plugin:demo:add',
        source: 'plugin',
        outcome: 'ok',
        effect: 'done',
        ms: 3,
        via: 'program',
        run: 'run-1',
      },
      { event: 'run-finished', turn: 'turn-1', step: 1, run: 'run-1', ...telemetry },
      expect.objectContaining({
        event: 'call-settled',
        callId: 'a',
        tool: 'tool_search_code',
        via: 'shown',
        source: 'drawbridge',
        effect: 'done',
      }),
      expect.objectContaining({ event: 'model-step-finished', step: 2, finishReason: 'stop', usage }),
      expect.objectContaining({
        event: 'turn-finished',
        end: 'stop',
        steps: 2,
        searches: 1,
        describes: 1,
        calls: 1,
        finalTool: 'plugin:demo:add',
        finalSource: 'plugin',
      }),
    ])
  })
})

function theSame(id: string): ToolCallPart {
  return aCall(id, 'one', '{"x":1}')
}

function aBrokenModel(error: Error): FakeModel {
  return aModel(async function* () {
    yield { kind: 'text' as const, text: 'Hel' }
    throw error
  })
}
