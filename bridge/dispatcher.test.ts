import { describe, expect, test } from 'vitest'
import { aTool } from '../catalog/testing/a-tool.ts'
import type { JsonObject } from '../catalog/json.ts'
import { isJsonObject } from '../catalog/json.ts'
import type { Tool, ToolResult } from '../catalog/tool.ts'
import { ToolTimedOut, ToolUnavailable } from '../catalog/tool.ts'
import { aView } from '../catalog/testing/a-view.ts'
import type { DispatcherDeps } from './dispatcher.ts'
import { createDispatcher } from './dispatcher.ts'
import type { RegisteredHook } from './hooks.ts'
import type { SettledCall } from './outcome.ts'
import type { Receipt } from './receipt.ts'
import { aCallPath, aHookRunner, anExecuteTool } from './testing/a-call-path.ts'

interface World {
  readonly tools?: readonly Tool[]
  readonly hooks?: readonly RegisteredHook[]
  readonly deps?: Partial<DispatcherDeps>
  readonly deadlineMs?: number
  readonly hookBudgetMs?: number
  /** What the turn had shown of a tool. */
  readonly shown?: (id: string) => Tool
}

function aWorld({
  tools = [aTool()],
  hooks = [],
  deps = {},
  deadlineMs = 1_000,
  hookBudgetMs = 1_000,
  shown,
}: World = {}) {
  const receipts: Receipt[] = []
  const byId = new Map(tools.map((tool) => [tool.id, tool]))
  const view = aView(tools)
  let ids = 0
  const path = aCallPath({
    current: (id) => byId.get(id),
    validate: (_tool, args) =>
      isJsonObject(args) && typeof args['text'] !== 'number'
        ? { kind: 'valid', value: args }
        : { kind: 'invalid', problems: [{ path: '/text', expected: 'a string', got: '1' }] },
    signature: () => '(args: { text: string }) => Promise<unknown>',
    hooks: aHookRunner(hooks, { budgetMs: () => hookBudgetMs }),
    execute: anExecuteTool({
      outputFault: (tool) => (tool.name === 'liar' ? '/n: expected a number' : undefined),
      redact: (text) => text.replaceAll('SECRET', '[redacted]'),
      cut: (text, maxBytes) => text.slice(0, maxBytes),
      deadlineMs,
    }),
    writeReceipt: async (receipt) => {
      receipts.push(receipt)
    },
    newId: () => `id${(ids += 1)}`,
    ...deps,
  })
  const dispatch = createDispatcher(path)
  const call = (selector: string, args: JsonObject = {}, signal = new AbortController().signal): Promise<SettledCall> =>
    dispatch(
      {
        callId: 'c1',
        target: { kind: 'text', text: selector },
        args,
        view,
        caller: { tenant: 't', agent: 'default' },
        ...(shown && { shown }),
      },
      signal,
    )
  return { call, receipts }
}

const before = (
  handler: Extract<RegisteredHook, { event: 'before_tool_call' }>['handler'],
  priority = 0,
): RegisteredHook => ({
  event: 'before_tool_call',
  plugin: 'guard',
  priority,
  handler,
})

describe('a call', () => {
  test('that is allowed runs and leaves a receipt with the hashes of schema and input', async () => {
    const { call, receipts } = aWorld()
    const settled = await call('plugin:demo:echo', { text: 'hi' })
    expect(settled.outcome).toMatchObject({ kind: 'ok', value: { text: 'hi' }, effect: 'done' })
    expect(receipts).toHaveLength(1)
    expect(receipts[0]).toMatchObject({ tenant: 't', toolId: 'plugin:demo:echo', outcome: 'ok', catalogRevision: 'r1' })
    expect(receipts[0]?.inputHash).toMatch(/^[0-9a-f]{64}$/)
    expect(receipts[0]?.schemaHash).toMatch(/^[0-9a-f]{64}$/)
  })

  test('is noted before its tool is given it, as one whose end nobody saw', async () => {
    const noted: Receipt[] = []
    const noteReceipt = async (receipt: Receipt) => void noted.push(receipt)
    const notedAtCall: number[] = []
    const execute = async (): Promise<ToolResult> => {
      notedAtCall.push(noted.length)
      return { content: [{ type: 'text', text: 'done' }] }
    }
    const tools = [
      aTool({ name: 'change', execute }),
      aTool({ name: 'read', execute, annotations: { readOnlyHint: true } }),
    ]
    const { call, receipts } = aWorld({ tools, deps: { noteReceipt } })
    await call('plugin:demo:change', { text: 'a' })
    await call('plugin:demo:read', { text: 'a' })
    expect(notedAtCall).toEqual([1, 2])
    expect(noted.map(({ toolId, outcome, effect }) => [toolId, outcome, effect])).toEqual([
      ['plugin:demo:change', 'failed', 'unknown'],
      ['plugin:demo:read', 'failed', 'none'],
    ])
    const same = ({ id, inputHash, schemaHash }: Receipt) => [id, inputHash, schemaHash]
    expect(noted.map(same)).toEqual(receipts.map(same))
  })

  test('of a tool that is not there ends unknown-tool and leaves a receipt', async () => {
    const { call, receipts } = aWorld()
    expect((await call('plugin:demo:ech')).outcome.kind).toBe('unknown-tool')
    expect(receipts[0]).toMatchObject({ requested: 'plugin:demo:ech', outcome: 'unknown-tool', effect: 'none' })
  })

  test('with wrong arguments meets neither a hook nor the tool', async () => {
    const seen: string[] = []
    const tool = aTool({
      execute: async () => {
        seen.push('tool')
        return { content: [] }
      },
    })
    const { call } = aWorld({ tools: [tool], hooks: [before(() => void seen.push('hook'))] })
    const { outcome } = await call('echo', { text: 1 })
    expect(outcome).toMatchObject({ kind: 'invalid-input', effect: 'none' })
    expect(outcome.kind === 'invalid-input' && outcome.message).toContain('/text: expected a string, got 1')
    expect(outcome.kind === 'invalid-input' && outcome.message).toContain('(args: { text: string })')
    expect(seen).toEqual([])
  })

  test('of a client tool is not executed here', async () => {
    const { execute: _unused, ...parts } = aTool({ source: 'client', owner: 'client', name: 'open_tab' })
    const { call } = aWorld({ tools: [parts] })
    expect((await call('open_tab')).outcome.kind).toBe('client-tool')
  })

  test('is checked against the policy of this moment, not only that of its view', async () => {
    const { call } = aWorld({ deps: { decide: () => ({ kind: 'deny', layer: 'tools', rule: 'echo' }) } })
    expect((await call('echo')).outcome).toMatchObject({ kind: 'denied', effect: 'none' })
  })

  test('of a tool that has gone meanwhile ends unavailable', async () => {
    const { call } = aWorld({ deps: { current: () => undefined } })
    expect((await call('echo')).outcome).toMatchObject({ kind: 'unavailable', effect: 'none' })
  })

  test('of a tool whose schema changed so that the arguments no longer fit ends stale-tool', async () => {
    const changed = aTool({ inputSchema: { type: 'object', required: ['more'] } })
    const { call } = aWorld({
      deps: {
        current: () => changed,
        validate: (tool, args) =>
          tool === changed || !isJsonObject(args) ? { kind: 'invalid', problems: [] } : { kind: 'valid', value: args },
      },
    })
    const { outcome } = await call('echo')
    expect(outcome).toMatchObject({ kind: 'stale-tool', effect: 'none', message: expect.stringContaining('changed') })
  })

  test('written by the schema that a search had shown before it changed ends stale-tool, with the difference', async () => {
    const older = aTool({ inputSchema: { type: 'object', properties: { txt: { type: 'string' } } } })
    const { call } = aWorld({ shown: () => older })
    const { outcome } = await call('echo', { text: 1 })
    expect(outcome).toMatchObject({ kind: 'stale-tool', message: expect.stringContaining('"txt" is gone') })
  })
})

describe('hooks', () => {
  test('run by priority, and the last params win', async () => {
    const { call } = aWorld({
      hooks: [
        before(({ params }) => ({ params: { text: `${JSON.stringify(params)}2` } }), 1),
        before(({ params }) => ({ params: { text: `${JSON.stringify(params)}1` } }), 5),
      ],
    })
    expect((await call('echo', { text: '0' })).outcome).toMatchObject({
      kind: 'ok',
      value: { text: '{"text":"{\\"text\\":\\"0\\"}1"}2' },
    })
  })

  test('what a hook rewrote is validated again', async () => {
    const { call } = aWorld({ hooks: [before(() => ({ params: { text: 1 } }))] })
    expect((await call('echo', { text: 'x' })).outcome.kind).toBe('invalid-input')
  })

  test('a block is terminal', async () => {
    const seen: string[] = []
    const { call } = aWorld({
      hooks: [
        before(() => ({ block: true, blockReason: 'not on Sundays' }), 2),
        before(() => void seen.push('later'), 1),
      ],
    })
    const { outcome } = await call('echo')
    expect(outcome).toMatchObject({ kind: 'denied', effect: 'none' })
    expect(outcome.kind === 'denied' && outcome.message).toContain('not on Sundays')
    expect(seen).toEqual([])
  })

  test('a handler that throws fails closed, its plugin named', async () => {
    const { call } = aWorld({
      hooks: [
        before(() => {
          throw new Error('boom')
        }),
      ],
    })
    const { outcome } = await call('echo')
    expect(outcome.kind === 'denied' && outcome.message).toContain('plugin "guard"')
  })

  test('a handler that never returns fails closed', async () => {
    const { call } = aWorld({ hooks: [before(() => new Promise(() => {}))], hookBudgetMs: 20 })
    expect((await call('echo')).outcome.kind).toBe('denied')
  })

  test('a handler that changes its event changes nothing', async () => {
    const { call } = aWorld({
      hooks: [
        before((event) => {
          Object.assign(event.params, { text: 'changed' })
        }),
      ],
    })
    expect((await call('echo', { text: 'as it was' })).outcome).toMatchObject({ value: { text: 'as it was' } })
  })

  test('a matcher keeps a handler from other tools', async () => {
    const hook: RegisteredHook = {
      event: 'before_tool_call',
      plugin: 'g',
      priority: 0,
      matcher: 'mcp:*',
      handler: () => ({ block: true }),
    }
    expect((await aWorld({ hooks: [hook] }).call('echo')).outcome.kind).toBe('ok')
  })

  test('after_tool_call sees the outcome', async () => {
    const seen: string[] = []
    const hook: RegisteredHook = {
      event: 'after_tool_call',
      plugin: 'log',
      priority: 0,
      handler: ({ toolId, outcome }) => void seen.push(`${toolId} ${outcome.kind}`),
    }
    await aWorld({ hooks: [hook] }).call('echo')
    expect(seen).toEqual(['plugin:demo:echo ok'])
  })
})

describe('how a tool ends', () => {
  const throwing = (error: unknown, readOnlyHint = false): Tool =>
    aTool({
      annotations: { readOnlyHint },
      execute: () => Promise.reject(error),
    })

  test('a thrown error is failed, redacted, bounded, and its effect is unknown', async () => {
    const { outcome } = await aWorld({ tools: [throwing(new Error(`SECRET ${'x'.repeat(9_000)}`))] }).call('echo')
    expect(outcome).toMatchObject({ kind: 'failed', effect: 'unknown' })
    expect(outcome.kind === 'failed' && outcome.message.startsWith('[redacted]')).toBe(true)
    expect(outcome.kind === 'failed' && outcome.message.length <= 2_048).toBe(true)
  })

  test('a read-only tool that fails had no effect', async () => {
    expect((await aWorld({ tools: [throwing(new Error('no'), true)] }).call('echo')).outcome.effect).toBe('none')
  })

  test('a server that did not answer in time is timed out, and whether it acted is not known', async () => {
    const { outcome } = await aWorld({ tools: [throwing(new ToolTimedOut('no answer for 5 s'))] }).call('echo')
    expect(outcome).toEqual({ kind: 'timed-out', message: 'no answer for 5 s', effect: 'unknown' })
  })

  test('an unreachable server is unavailable, without effect', async () => {
    const { outcome } = await aWorld({ tools: [throwing(new ToolUnavailable('calendar is down'))] }).call('echo')
    expect(outcome).toEqual({ kind: 'unavailable', message: 'calendar is down', effect: 'none' })
  })

  test('a tool that ignores its deadline is timed-out with effect unknown', async () => {
    const tool = aTool({ execute: () => new Promise(() => {}) })
    const { outcome } = await aWorld({ tools: [tool], deadlineMs: 20 }).call('echo')
    expect(outcome).toMatchObject({ kind: 'timed-out', effect: 'unknown' })
  })

  test('a caller that leaves cancels the call, and the tool is told', async () => {
    const leaving = new AbortController()
    let told = false
    const tool = aTool({
      execute: (_args, { signal }) => {
        signal.addEventListener('abort', () => (told = true))
        queueMicrotask(() => leaving.abort())
        return new Promise(() => {})
      },
    })
    const { outcome } = await aWorld({ tools: [tool] }).call('echo', {}, leaving.signal)
    expect(outcome).toMatchObject({ kind: 'cancelled', effect: 'unknown' })
    expect(told).toBe(true)
  })

  test('a call of a caller that has left is not begun', async () => {
    let ran = false
    const tool = aTool({
      execute: async () => {
        ran = true
        return { content: [] }
      },
    })
    const { outcome } = await aWorld({ tools: [tool] }).call('echo', {}, AbortSignal.abort())
    expect(outcome).toMatchObject({ kind: 'cancelled', effect: 'none' })
    expect(ran).toBe(false)
  })

  test('an error result is failed with the words of the tool, and its output schema is not asked', async () => {
    const tool = aTool({
      name: 'liar',
      execute: async () => ({ content: [], structured: 'no such file', isError: true }),
    })
    expect((await aWorld({ tools: [tool] }).call('liar')).outcome).toMatchObject({
      kind: 'failed',
      message: 'no such file',
    })
  })

  test('a result that breaks its output schema is invalid-output, and its effect is done', async () => {
    const tool = aTool({ name: 'liar', execute: async () => ({ content: [], structured: { n: 'x' } }) })
    expect((await aWorld({ tools: [tool] }).call('liar')).outcome).toMatchObject({
      kind: 'invalid-output',
      effect: 'done',
    })
  })
})
