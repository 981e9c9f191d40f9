import { describe, expect, test } from 'vitest'
import { aTool } from '../../catalog/testing/a-tool.ts'
import { anIndex } from '../../catalog/testing/an-index.ts'
import { aView } from '../../catalog/testing/a-view.ts'
import type { Tool } from '../../catalog/tool.ts'
import type { Resolution, View } from '../../catalog/view.ts'
import { createQueryMemory } from '../surface/query-memory.ts'
import type { Outcome } from '../outcome.ts'
import { ambiguousTool, unknownTool } from '../refusals.ts'
import type { Run } from '../run.ts'
import type { ToolSurface } from '../surface/tool-surface.ts'
import { aToolSurface } from '../testing/a-tool-surface.ts'
import { createCodePresentation } from './code.ts'
import { createDirectPresentation } from './direct.ts'
import type { Presentation } from './presentation.ts'
import { createToolsPresentation } from './tools.ts'

const mail = aTool({ owner: 'mail', name: 'send_email', description: 'Send an email to a person' })
const openTab = aTool({ source: 'client', owner: 'client', name: 'open_tab', description: 'Open a browser tab' })

function mailView(clientTools: readonly Tool[] = []): View {
  return aView([mail], { clientTools })
}

function refusalOf(asked: string, resolution: Exclude<Resolution, { kind: 'found' }>): Outcome {
  return resolution.kind === 'unknown'
    ? unknownTool(asked, resolution.suggestions)
    : ambiguousTool(asked, resolution.ids)
}

function aSurface(view: View): ToolSurface {
  return aToolSurface(
    {
      index: anIndex([...view.tools]),
      dispatch: async ({ callId, target, view: seen }) => {
        const requested =
          target.kind === 'text' ? target.text : target.kind === 'path' ? target.name : target.call.toolId
        const resolution = seen.resolve(requested)
        const base = { callId, requested, notices: [], ms: 1, receiptId: 'rc1' }
        if (resolution.kind !== 'found') {
          return {
            ...base,
            outcome: refusalOf(requested, resolution),
          }
        }
        const { tool } = resolution
        if (tool.source === 'client') {
          return { ...base, toolId: tool.id, outcome: { kind: 'client-tool', message: 'client', effect: 'none' } }
        }
        return {
          ...base,
          toolId: tool.id,
          outcome: { kind: 'ok', value: 'sent', result: { content: [] }, effect: 'done' },
        }
      },
      hitSignature: () => '(args: {}) => Promise<unknown>',
      fullSignature: () => '(args: {}) => Promise<unknown>',
      newId: () => 'c1',
      learns: true,
    },
    { view, caller: { tenant: 't', agent: 'default' }, memory: createQueryMemory() },
  )
}

function aToolsPresentation(view: View): Presentation {
  return createToolsPresentation({
    view,
    createSurface: () => aSurface(view),
    readCallForm: (input) =>
      typeof input === 'object' && input !== null && 'id' in input && typeof input.id === 'string'
        ? { kind: 'form', id: input.id, args: 'args' in input ? (input.args ?? {}) : {}, notices: [] }
        : { kind: 'problem', message: 'no id' },
    callText: ({ outcome }) => JSON.stringify(outcome.kind === 'ok' ? outcome.value : { error: outcome.message }),
    answerText: (value) => JSON.stringify(value),
  })
}

const never = new AbortController().signal
const call = (
  name: string,
  args: unknown,
): { readonly id: string; readonly name: string; readonly arguments: string } => ({
  id: 'm1',
  name,
  arguments: typeof args === 'string' ? args : JSON.stringify(args),
})

const aRun: Run = {
  id: 'run1',
  status: 'completed',
  value: 5,
  notices: [],
  logs: [],
  calls: [{ id: 'run1/1', tool: 'plugin:mail:send_email', outcome: 'ok', effect: 'done', ms: 1 }],
  artifacts: [],
  telemetry: {
    catalogSize: 1,
    sources: {},
    searches: 1,
    describes: 2,
    calls: 1,
    cpuMs: 1,
    wallMs: 1,
    heapPeakBytes: 1,
    bytesIn: 1,
    bytesOut: 1,
    worker: 'kept',
  },
}

describe('the code presentation', () => {
  const present = (view = mailView()): { readonly presentation: Presentation; readonly sources: unknown[] } => {
    const sources: unknown[] = []
    const run = async (source: unknown): Promise<Run> => {
      sources.push(source)
      return aRun
    }
    return { presentation: createCodePresentation({ view, run, runText: (it) => it.id }), sources }
  }

  test('shows one small tool whose bytes do not depend on the catalog', () => {
    const few = JSON.stringify(present().presentation.definitions())
    const many = Array.from({ length: 500 }, (_, n) => aTool({ name: `tool_${n}` }))
    expect(JSON.stringify(present(aView(many)).presentation.definitions())).toBe(few)
    expect(
      present()
        .presentation.definitions()
        .map((tool) => tool.name),
    ).toEqual(['tool_search_code'])
    expect(Buffer.byteLength(few)).toBeLessThan(2_400)
  })

  test('shows the client tools directly beside it, and their calls go to the client', async () => {
    const { presentation } = present(mailView([openTab]))
    expect(presentation.definitions().map((tool) => tool.name)).toEqual(['tool_search_code', 'open_tab'])
    expect(await presentation.handle(call('open_tab', { text: 'x' }), never)).toEqual({
      kind: 'client-call',
      name: 'open_tab',
      arguments: { text: 'x' },
    })
  })

  test('runs the program and counts what it did', async () => {
    const { presentation, sources } = present()
    const result = await presentation.handle(call('tool_search_code', { code: 'return 5' }), never)
    expect(sources).toEqual(['return 5'])
    expect(result).toMatchObject({ kind: 'result', text: 'run1', isError: false, searches: 1, describes: 2 })
    expect(result.kind === 'result' && result.calls.map((it) => it.tool)).toEqual(['plugin:mail:send_email'])
  })

  test.each([
    ['not json', 'not JSON'],
    [{ wrong: 1 }, 'with a JavaScript program as text'],
  ])('arguments %j are answered with the way out', async (args, words) => {
    const { presentation, sources } = present()
    const result = await presentation.handle(call('tool_search_code', args), never)
    expect(result.kind === 'result' && result.isError && result.text).toContain(words)
    expect(sources).toEqual([])
  })

  test.each([
    'return 5',
    'const [hit] = await tools.search("x")\nreturn hit',
    '```js\nreturn 5\n```',
    'tools.search("x")',
  ])('a program that came without its JSON is run: %j', async (program) => {
    const { presentation, sources } = present()
    await presentation.handle({ ...call('tool_search_code', {}), arguments: program }, never)
    expect(sources).toEqual([program])
  })

  test('a call of a function that is not shown says how to reach it', async () => {
    const result = await present().presentation.handle(call('send_email', {}), never)
    expect(result.kind === 'result' && result.isError && result.text).toContain('tool_search_code')
  })

  test.each([
    ['plugin:mail:send_email', { to: 'a' }, 'return await tools.call("plugin:mail:send_email", {"to":"a"})'],
    ['mail__send_email', {}, 'return await tools.call("plugin:mail:send_email", {})'],
    ['mcp__mail__send_email', {}, 'return await tools.call("plugin:mail:send_email", {})'],
    ['tools.mail.send_email', {}, 'return await tools.call("plugin:mail:send_email", {})'],
    ['tools.search', { query: 'mail' }, 'return await tools.search("mail")'],
    ['tool_call', { id: 'x', args: { a: 1 } }, 'return await tools.call("x", {"a":1})'],
    ['tool_describe', { id: 'x' }, 'return await tools.describe("x")'],
    ['juggle', {}, 'return await tools.search("juggle")'],
  ])('a call of %s gets the program that does it', async (name, args, program) => {
    const result = await present().presentation.handle(call(name, args), never)
    expect(result.kind === 'result' && JSON.parse(result.text).error).toContain(JSON.stringify({ code: program }))
  })
})

describe('the tools presentation', () => {
  test('shows exactly three tools', () => {
    const names = aToolsPresentation(mailView([openTab]))
      .definitions()
      .map((tool) => tool.name)
    expect(names).toEqual(['tool_search', 'tool_describe', 'tool_call'])
  })

  test('searches, describes and calls, and counts each', async () => {
    const presentation = aToolsPresentation(mailView())
    const search = await presentation.handle(call('tool_search', { query: 'send email' }), never)
    expect(search.kind === 'result' && search.text).toContain('plugin:mail:send_email')
    expect(search).toMatchObject({ searches: 1, describes: 0 })
    const described = await presentation.handle(call('tool_describe', { id: 'plugin:mail:send_email' }), never)
    expect(described).toMatchObject({ isError: false, describes: 1 })
    const called = await presentation.handle(call('tool_call', { id: 'send_email', args: {} }), never)
    expect(called).toMatchObject({ text: '"sent"', isError: false })
  })

  test('arguments that are no JSON are answered with the form of that function', async () => {
    const result = await aToolsPresentation(mailView()).handle(call('tool_call', 'send_email'), never)
    expect(result.kind === 'result' && JSON.parse(result.text).error).toMatch(/not JSON.*like \{ "id": "…", "args"/)
  })

  test('a clamped limit is said in the answer', async () => {
    const result = await aToolsPresentation(mailView()).handle(call('tool_search', { query: 'mail', limit: 99 }), never)
    expect(result.kind === 'result' && result.text).toContain('limit 99 is more than the maximum')
  })

  test('a client tool is called like any other and goes out under its own name', async () => {
    const presentation = aToolsPresentation(mailView([openTab]))
    const args = { id: 'client:client:open_tab', args: { url: 'x' } }
    expect(await presentation.handle(call('tool_call', args), never)).toEqual({
      kind: 'client-call',
      name: 'open_tab',
      arguments: { url: 'x' },
    })
    expect(presentation.recall({ name: 'open_tab', arguments: '{"url":"x"}' })).toEqual({
      name: 'tool_call',
      arguments: '{"id":"client:client:open_tab","args":{"url":"x"}}',
    })
  })

  test('a found tool that is called as if it were shown gets the exact way to call it', async () => {
    const result = await aToolsPresentation(mailView()).handle(call('mail__send_email', {}), never)
    expect(result.kind === 'result' && result.text).toContain('plugin:mail:send_email')
  })

  test('by any name that other bridges give it, with the arguments that it had', async () => {
    for (const name of ['send_email', 'mcp__mail__send_email', 'plugin:mail:send_email', 'mail.send_email']) {
      const result = await aToolsPresentation(mailView()).handle(call(name, { to: 'a' }), never)
      const { error } = JSON.parse(result.kind === 'result' ? result.text : '{}')
      expect(error).toContain('{ "id": "plugin:mail:send_email", "args": {"to":"a"} }')
    }
  })
})

describe('the direct presentation', () => {
  const present = (view: View): Presentation =>
    createDirectPresentation({
      view,
      createSurface: () => aSurface(view),
      callText: ({ outcome }) => JSON.stringify(outcome.kind === 'ok' ? outcome.value : { error: outcome.message }),
    })

  test('shows every visible tool by its safe name and the client tools by their own', () => {
    const names = present(mailView([openTab]))
      .definitions()
      .map((tool) => tool.name)
    expect(names).toEqual(['mail__send_email', 'open_tab'])
  })

  test('shows a tool whose schema or description a provider would refuse in a form that none does', () => {
    const either = aTool({
      description: 'Long. '.repeat(500),
      inputSchema: {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'string' } },
        oneOf: [{ required: ['a'] }, { required: ['b'] }],
      },
    })
    const [definition] = present(aView([either])).definitions()
    expect(definition?.parameters).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
    })
    expect(definition?.description.length).toBeLessThanOrEqual(1_024)
    expect(definition?.description).toContain('& ({ a: unknown } | { b: unknown })')
  })

  test.each([
    ['tool_call', { id: 'send_email', args: { to: 'a' } }, 'call mail__send_email with {"to":"a"}'],
    ['tool_call', { id: 'nothing' }, 'call the one that you need by its name'],
    ['tool_search', { query: 'mail' }, 'call the one that you need by its name'],
  ])('a call of %s, which another mode has, is answered with the function that is shown', async (name, args, hint) => {
    const result = await present(mailView()).handle(call(name, args), never)
    expect(result.kind === 'result' && result.isError && JSON.parse(result.text).error).toContain(hint)
  })

  test.each([
    ['mail__sned_email', 'did you mean "mail__send_email"?'],
    ['send_emial', 'did you mean "mail__send_email"?'],
    ['mcp.mail.send_email', 'did you mean "mail__send_email"?'],
    ['plugin:mail:send_emails', 'did you mean "mail__send_email"?'],
    ['client.open_tab', 'did you mean "open_tab"?'],
    ['open_tabs', 'did you mean "open_tab"?'],
    ['create', 'by the name that it is shown under: "billing__create", "tickets__create"'],
    ['qqqq', 'call one of those that you are shown'],
  ])('a call of %s, which is nearly a name, is answered with names that can be called', async (name, hint) => {
    const others = ['billing', 'tickets'].map((owner) => aTool({ owner, name: 'create' }))
    const view = aView([...others, mail], { clientTools: [openTab] })
    const shown = present(view)
      .definitions()
      .map((tool) => tool.name)
    const result = await present(view).handle(call(name, {}), never)
    const { error } = result.kind === 'result' ? JSON.parse(result.text) : { error: '' }
    expect(error).toContain(hint)
    const [, ...suggested] = [...error.matchAll(/"([^"]+)"/g)].map(([, text]) => text)
    for (const each of suggested) expect(shown).toContain(each)
  })

  test('calls by safe name, by id, and answers an unknown name', async () => {
    const presentation = present(mailView())
    expect(await presentation.handle(call('mail__send_email', {}), never)).toMatchObject({ text: '"sent"' })
    expect(await presentation.handle(call('plugin:mail:send_email', {}), never)).toMatchObject({ text: '"sent"' })
    expect(await presentation.handle(call('nothing', {}), never)).toMatchObject({ isError: true })
  })
})
