import { describe, expect, test } from 'vitest'
import { aTool } from '../../catalog/testing/a-tool.ts'
import type { ToolResult } from '../../catalog/tool.ts'
import type { BeforeToolCall, BeforeToolCallEvent, RegisteredHook } from '../hooks.ts'
import { aHookRunner } from '../testing/a-call-path.ts'

const NEVER = new AbortController().signal
const tool = aTool({ name: 'refund' })
const event: BeforeToolCallEvent = {
  callId: 'run_1/1',
  parentCallId: 'call_a',
  runId: 'run_1',
  toolId: tool.id,
  source: 'plugin',
  owner: 'demo',
  name: 'refund',
  params: { amount: 5 },
  caller: { tenant: 't', agent: 'default' },
}

function before(plugin: string, handler: BeforeToolCall, more: { priority?: number; matcher?: string } = {}) {
  return { event: 'before_tool_call' as const, plugin, handler, priority: 0, ...more }
}

function aRunner(hooks: readonly RegisteredHook[], budgetMs = 1_000) {
  const warnings: string[] = []
  const runner = aHookRunner(hooks, { warn: (message) => warnings.push(message), budgetMs: () => budgetMs })
  return { runner, warnings }
}

describe('while plugins are being loaded', () => {
  const blocks = before('guard', () => ({ block: true, blockReason: 'never' }))

  test('a call waits for the handlers that are to come', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    let hooks: readonly RegisteredHook[] = []
    const runner = aHookRunner([], { hooks: () => hooks, registered: () => promise })
    const verdict = runner.before(tool, event, NEVER)
    hooks = [blocks]
    resolve()
    expect(await verdict).toEqual({ kind: 'block', reason: 'never' })
  })

  test('what cannot wait any longer is not done, and is once they are loaded', async () => {
    let loaded = new Promise<void>(() => {})
    const runner = aHookRunner([], { budgetMs: () => 10, registered: () => loaded })
    const late = { kind: 'block', reason: expect.stringContaining('still being loaded') }
    expect(await runner.before(tool, event, NEVER)).toEqual(late)
    expect(await runner.turnStart({ turnId: 't', caller: event.caller, messages: [] }, NEVER)).toEqual(late)
    loaded = Promise.resolve()
    expect(await runner.before(tool, event, NEVER)).toMatchObject({ kind: 'go' })
  })
})

describe('before a call', () => {
  test('an approval freezes the params as they stood, and later params change nothing', async () => {
    const { runner } = aRunner([
      before('first', () => ({ params: { amount: 6 } })),
      before('asks', ({ params }) => ({ params: { ...params, checked: true }, requireApproval: { title: 'Refund?' } })),
      before('late', () => ({ params: { amount: 1_000 } })),
    ])
    const verdict = await runner.before(tool, event, NEVER)
    expect(verdict).toMatchObject({
      kind: 'go',
      input: { amount: 6, checked: true },
      approval: { plugin: 'asks', title: 'Refund?', severity: 'warning' },
    })
  })

  test('the first approval wins, and who comes after it can still block', async () => {
    const asks = before('one', () => ({ requireApproval: { title: 'one' } }), { priority: 2 })
    const again = before('two', () => ({ requireApproval: { title: 'two', severity: 'critical' } }), { priority: 1 })
    const verdict = await aRunner([again, asks]).runner.before(tool, event, NEVER)
    expect(verdict).toMatchObject({ approval: { plugin: 'one', title: 'one' } })
    const block = before('three', () => ({ block: true, blockReason: 'never' }))
    expect(await aRunner([asks, again, block]).runner.before(tool, event, NEVER)).toEqual({
      kind: 'block',
      reason: 'never',
    })
  })

  test('after a block nobody is asked any more', async () => {
    const seen: string[] = []
    const block = before('guard', () => ({ block: true }), { priority: 1 })
    const { runner } = aRunner([block, before('late', () => void seen.push('late'))])
    expect(await runner.before(tool, event, NEVER)).toEqual({ kind: 'block', reason: 'blocked by plugin "guard"' })
    expect(seen).toEqual([])
  })

  test('a handler that changes its event changes nothing', async () => {
    const { runner } = aRunner([
      before('meddler', (shown) => {
        Reflect.set(shown.params, 'amount', 999)
        Reflect.set(shown, 'toolId', 'plugin:other:thing')
      }),
      before('witness', ({ params, toolId }) => ({ params: { ...params, toolId } })),
    ])
    expect(await runner.before(tool, event, NEVER)).toMatchObject({ input: { amount: 5, toolId: tool.id } })
    expect(event.params).toEqual({ amount: 5 })
  })

  test('a handler that never returns blocks the call, and its plugin is named', async () => {
    const { runner, warnings } = aRunner([before('sleeper', () => new Promise(() => {}))], 20)
    expect(await runner.before(tool, event, NEVER)).toMatchObject({
      kind: 'block',
      reason: expect.stringContaining('"sleeper"'),
    })
    expect(warnings).toEqual(['before_tool_call hook of plugin "sleeper" failed'])
  })

  test('a handler that was stopped since the caller left is not told of as one that failed', async () => {
    const stop = new AbortController()
    const hook = before('slow', () => new Promise(() => {}))
    const { runner, warnings } = aRunner([hook])
    const verdict = runner.before(tool, event, stop.signal)
    stop.abort()
    await verdict
    expect(warnings).toEqual([])
  })

  test('is told which call it is made in', async () => {
    const seen: unknown[] = []
    await aRunner([
      before('w', (shown) => void seen.push(shown.parentCallId, shown.callId, shown.runId)),
    ]).runner.before(tool, event, NEVER)
    expect(seen).toEqual(['call_a', 'run_1/1', 'run_1'])
  })

  test('texts and times of an approval are bounded, and denying is always possible', async () => {
    const requireApproval = {
      title: 't'.repeat(200),
      description: 'd'.repeat(2_000),
      timeoutMs: 9_000_000,
      allowedDecisions: ['allow-once'] as const,
    }
    const verdict = await aRunner([before('asks', () => ({ requireApproval }))]).runner.before(tool, event, NEVER)
    expect(verdict).toMatchObject({
      approval: {
        title: 't'.repeat(80),
        description: 'd'.repeat(512),
        timeoutMs: 600_000,
        allowedDecisions: ['allow-once', 'deny'],
      },
    })
  })

  test.each([
    ['a text', 'yes'],
    ['params that are a list', { params: [] }],
    ['an approval that is none', { requireApproval: true }],
    ['an unknown severity', { requireApproval: { severity: 'mild' } }],
    ['an unknown decision', { requireApproval: { allowedDecisions: ['allow-twice'] } }],
    ['a time that is none', { requireApproval: { timeoutMs: -1 } }],
  ])('%s as decision blocks the call', async (_what, decision) => {
    const hook = before('odd', () => JSON.parse(JSON.stringify(decision)))
    expect(await aRunner([hook]).runner.before(tool, event, NEVER)).toMatchObject({
      kind: 'block',
      reason: expect.stringContaining('plugin "odd"'),
    })
  })
})

describe('what is no JSON in what a handler gives', () => {
  const loop: { self?: unknown } = {}
  loop.self = loop
  /** Of a plugin that is written without types. */
  function untyped(event: RegisteredHook['event'], handler: () => unknown): RegisteredHook {
    const hook = { event, plugin: 'odd', priority: 0, handler }
    if (!isHook(hook)) throw new TypeError('it is a handler, whatever it gives')
    return hook
  }
  function isHook(hook: { readonly handler: unknown }): hook is RegisteredHook {
    return typeof hook.handler === 'function'
  }

  test.each([
    ['a cycle', loop],
    ['a bigint', { amount: 1n }],
    ['no object', () => 1],
  ])('%s as params blocks the call', async (_what, params) => {
    const hook = untyped('before_tool_call', () => ({ params }))
    expect(await aRunner([hook]).runner.before(tool, event, NEVER)).toMatchObject({
      kind: 'block',
      reason: expect.stringContaining('plugin "odd" gave params'),
    })
  })

  test('params come as the JSON that they are: a date is its text, and a function is left out', async () => {
    const params = { at: new Date(0), note: () => 1, amount: 2 }
    const hook = untyped('before_tool_call', () => ({ params }))
    expect(await aRunner([hook]).runner.before(tool, event, NEVER)).toMatchObject({
      kind: 'go',
      input: { at: '1970-01-01T00:00:00.000Z', amount: 2 },
    })
  })

  test.each([
    ['a block without its part', { content: [{ type: 'resource' }] }],
    ['a block of no type that there is', { content: [{ type: 'constructor' }] }],
    ['a cycle', { content: [], structured: loop }],
  ])('a result with %s is withheld', async (_what, given) => {
    const hook = untyped('tool_result', () => given)
    const result = { content: [] }
    expect(await aRunner([hook]).runner.result(tool, { ...event, result })).toMatchObject({
      kind: 'withheld',
      reason: expect.stringContaining('plugin "odd"'),
    })
  })
})

describe('a result', () => {
  const result: ToolResult = { content: [{ type: 'text', text: 'card 4111' }] }
  const resultHook = (plugin: string, handler: (text: string) => unknown): RegisteredHook => ({
    event: 'tool_result',
    plugin,
    priority: 0,
    handler: ({ result: given }) => {
      const [block] = given.content
      const made: unknown = handler(block?.type === 'text' ? block.text : '')
      return made === undefined ? undefined : JSON.parse(JSON.stringify(made))
    },
  })

  test('goes through every handler in order', async () => {
    const { runner } = aRunner([
      resultHook('mask', (text) => ({ content: [{ type: 'text', text: text.replace('4111', '••••') }] })),
      resultHook('watch', () => undefined),
      resultHook('mark', (text) => ({ content: [{ type: 'text', text: `${text}!` }] })),
    ])
    expect(await runner.result(tool, { ...event, result })).toEqual({
      kind: 'go',
      result: { content: [{ type: 'text', text: 'card ••••!' }] },
    })
  })

  test.each([
    ['throws', () => Promise.reject(new Error('boom')), /"mask" failed/],
    ['gives no result', () => ({ text: 'x' }), /no tool result/],
  ])('is withheld where a handler %s', async (_what, handler, reason) => {
    const hook: RegisteredHook = {
      event: 'tool_result',
      plugin: 'mask',
      priority: 0,
      handler: async () => JSON.parse(JSON.stringify(await handler())),
    }
    expect(await aRunner([hook]).runner.result(tool, { ...event, result })).toMatchObject({
      kind: 'withheld',
      reason: expect.stringMatching(reason),
    })
  })
})

describe('models and turns', () => {
  const turn = { turnId: 'turn_1', caller: event.caller }
  const model = { ...turn, step: 1, model: 'openai/gpt', messages: [], tools: [], params: { temperature: 1 } }

  test('a matcher is over the model of a step and over the agent of a turn', async () => {
    const seen: string[] = []
    const { runner } = aRunner([
      { event: 'before_model_call', plugin: 'a', priority: 0, matcher: 'openai/*', handler: () => void seen.push('a') },
      { event: 'before_model_call', plugin: 'b', priority: 0, matcher: 'other/*', handler: () => void seen.push('b') },
      { event: 'turn_start', plugin: 'c', priority: 0, matcher: 'def*', handler: () => void seen.push('c') },
      { event: 'turn_end', plugin: 'd', priority: 0, matcher: 'support', handler: () => void seen.push('d') },
    ])
    await runner.beforeModel(model, NEVER)
    await runner.turnStart({ ...turn, messages: [] }, NEVER)
    await runner.turnEnd({ ...turn, end: 'stop', steps: 1 })
    expect(seen).toEqual(['a', 'c'])
  })

  test('parameters are replaced, and a turn is narrowed by every handler that says so', async () => {
    const { runner } = aRunner([
      { event: 'before_model_call', plugin: 'a', priority: 0, handler: () => ({ params: { temperature: 0 } }) },
      { event: 'turn_start', plugin: 'b', priority: 0, handler: () => ({ toolsAllow: ['a*'] }) },
      { event: 'turn_start', plugin: 'c', priority: 0, handler: () => ({ toolsAllow: ['*b'] }) },
    ])
    expect(await runner.beforeModel(model, NEVER)).toEqual({ kind: 'go', params: { temperature: 0 } })
    expect(await runner.turnStart({ ...turn, messages: [] }, NEVER)).toEqual({
      kind: 'go',
      toolsAllow: [['a*'], ['*b']],
    })
  })

  test('who only watches and fails is logged and stops nothing', async () => {
    const { runner, warnings } = aRunner([
      {
        event: 'turn_end',
        plugin: 'watcher',
        priority: 0,
        handler: () => {
          throw new Error('boom')
        },
      },
    ])
    await runner.turnEnd({ ...turn, end: 'stop', steps: 1 })
    expect(warnings).toEqual(['turn_end hook of plugin "watcher" failed'])
  })
})
