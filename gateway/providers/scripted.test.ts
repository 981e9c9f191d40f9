import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../../bridge/isolate/limits.ts'
import { createIsolatePool } from '../../bridge/isolate/pool.ts'
import type { Answer, Operation, ProgramHost } from '../../bridge/isolate/program-host.ts'
import type { ModelCall, ModelResult, ModelTool } from '../../bridge/presentation/presentation.ts'
import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { aPresentation, aRequest, aResult, aTool, aTurn, endOf, runToEvents } from '../turn/fixtures/turn-makers.ts'
import { createScriptedProvider } from './scripted.ts'

const addSchema: JsonObject = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
}
const id = 'plugin:demo:add_numbers'

let pool: ProgramHost
beforeAll(async () => {
  pool = await createIsolatePool({ workersMin: 1, workersMax: 1 })
})
afterAll(() => pool.close())

describe('with the code tool', () => {
  test('one program searches, describes, fills and calls, and its result is told in words', async () => {
    const seen: string[] = []
    const said = await ask('please add numbers 2 and 40', {
      mode: 'code',
      tools: [aTool('tool_search_code')],
      handle: async (call) =>
        aResult(JSON.stringify({ status: 'completed', value: await runProgram(call, aCatalog(seen)) })),
    })
    expect(seen).toEqual(['search "please add numbers and"', `describe "${id}"`, 'call {"a":2,"b":40}'])
    expect(said.text).toContain('[scripted stand-in, not a model]')
    expect(said.text).toContain(`I called ${id} with {"a":2,"b":40}`)
    expect(said.text).toContain('sum: 42')
    expect(said.deltas).toBeGreaterThan(1)
  })

  test('what cannot be read is named instead of called', async () => {
    const seen: string[] = []
    const said = await ask('add numbers', {
      mode: 'code',
      tools: [aTool('tool_search_code')],
      handle: async (call) =>
        aResult(`value: ${JSON.stringify(await runProgram(call, aCatalog(seen)), null, 2)}\nlog: {}`),
    })
    expect(seen.some((line) => line.startsWith('call'))).toBe(false)
    expect(said.text).toContain(`${id} fits, but I cannot read its a and b from your message`)
    expect(said.text).toContain('It takes (args: { a: number }).')
  })

  test('a search that finds nothing is said', async () => {
    const said = await ask('fly me to the moon', {
      mode: 'code',
      tools: [aTool('tool_search_code')],
      handle: async (call) => aResult(JSON.stringify({ value: await runProgram(call, aCatalog([], [])) })),
    })
    expect(said.text).toContain('I found no tool that fits "fly me to the moon"')
  })

  test('a program that fails is shown as it failed', async () => {
    const said = await ask('add numbers 1 and 2', {
      mode: 'code',
      tools: [aTool('tool_search_code')],
      handle: () => aResult('{"status":"failed","error":{"code":"timeout"}}', { isError: true }),
    })
    expect(said.text).toContain('My program ended like this')
    expect(said.text).toContain('timeout')
  })

  test('a client tool beside it is called when the message speaks of it', async () => {
    const tools = [aTool('tool_search_code'), aTool('open_tab')]
    const presentation = aPresentation({ mode: 'code', tools, handle: clientCall })
    const { deps } = aTurn({ provider: createScriptedProvider(), presentation })
    const messages = [{ role: 'user', content: 'open a tab please' }] as const
    const events = await runToEvents(aRequest({ messages, clientTools: ['open_tab'] }), deps)
    expect(endOf(events, 'finished').calls.map((call) => call.function.name)).toEqual(['open_tab'])
  })
})

describe('with search, describe and call', () => {
  test('it does the same in ordinary calls', async () => {
    const handled: ModelCall[] = []
    const said = await ask('add numbers 2 and 40', {
      mode: 'tools',
      tools: ['tool_search', 'tool_describe', 'tool_call'].map(aTool),
      handle: (call) => {
        handled.push(call)
        if (call.name === 'tool_search') return aResult(JSON.stringify({ hits: [{ id, score: 1 }], notes: [] }))
        if (call.name === 'tool_describe') return aResult(JSON.stringify({ id, inputSchema: addSchema }))
        return aResult('{"outcome":"ok","value":{"sum":42}}')
      },
    })
    expect(handled.map((call) => [call.name, JSON.parse(call.arguments)])).toEqual([
      ['tool_search', { query: 'add numbers and', limit: 3 }],
      ['tool_describe', { id }],
      ['tool_call', { id, args: { a: 2, b: 40 } }],
    ])
    expect(said.text).toContain(`I called ${id} with {"a":2,"b":40}`)
    expect(said.text).toMatch(/It answered:\n\nsum: 42$/)
  })

  test.each([
    ['no hit', { hits: [] }],
    ['a weak hit', { hits: [{ id, weak: true }] }],
  ])('%s is said', async (_what, answer) => {
    const said = await ask('fly to the moon', {
      mode: 'tools',
      tools: ['tool_search', 'tool_describe', 'tool_call'].map(aTool),
      handle: () => aResult(JSON.stringify(answer)),
    })
    expect(said.text).toContain('I found no tool that fits')
  })
})

describe('with tools shown directly', () => {
  const add: ModelTool = { name: 'demo__add_numbers', description: 'Adds two numbers', parameters: addSchema }
  const list: ModelTool = { ...aTool('demo__list_employees'), description: 'Lists the employees of the company' }

  test('it calls the one whose words the message shares', async () => {
    const handled: string[] = []
    const handle = (call: ModelCall) => {
      handled.push(`${call.name} ${call.arguments}`)
      return aResult('[{"name":"Ada"}]')
    }
    await ask('list the employees', { tools: [add, list], handle })
    await ask('add 1 and 2', { tools: [add, list], handle })
    expect(handled).toEqual(['demo__list_employees {}', 'demo__add_numbers {"a":1,"b":2}'])
  })

  test('it says so when nothing fits, and when it is shown nothing', async () => {
    expect((await ask('what is love', { tools: [add, list] })).text).toContain('I found no tool that fits')
    expect((await ask('what is love', { tools: [] })).text).toContain('I was shown no tools')
  })
})

test('equal conversations give equal steps', async () => {
  const given = { mode: 'tools', tools: ['tool_search', 'tool_describe', 'tool_call'].map(aTool) } as const
  const [first, second] = [await ask('add numbers', given), await ask('add numbers', given)]
  expect(first).toEqual(second)
})

async function ask(
  content: string,
  given: Parameters<typeof aPresentation>[0],
): Promise<{ readonly text: string; readonly deltas: number }> {
  const { deps } = aTurn({ provider: createScriptedProvider(), presentation: aPresentation(given) })
  const events = await runToEvents(aRequest({ messages: [{ role: 'user', content }] }), deps)
  expect(endOf(events, 'finished').end).toBe('stop')
  const texts = events.flatMap((event) => (event.kind === 'text' ? [event.text] : []))
  return { text: texts.join(''), deltas: texts.length }
}

/** Answers a program's operations as a catalog of one tool would. */
function aCatalog(
  seen: string[],
  hits: readonly JsonObject[] = [{ id, signature: '(args: {\n  a: number\n}) => Promise<unknown>' }],
) {
  return async (operation: Operation): Promise<Answer> => {
    switch (operation.kind) {
      case 'search':
        seen.push(`search ${JSON.stringify(operation.query)}`)
        return { kind: 'value', value: { hits, notes: [] } }
      case 'describe':
        seen.push(`describe ${JSON.stringify(operation.ids)}`)
        return { kind: 'value', value: { id, inputSchema: addSchema } }
      case 'call':
        seen.push(`call ${JSON.stringify(operation.args)}`)
        return { kind: 'value', value: { sum: 42 } }
      case 'artifact-read':
      case 'store-get':
      case 'store-set':
        return { kind: 'error', code: 'invalid-input', message: 'there is no store here' }
    }
  }
}

/** Runs the program in a real isolate: what it may lean on is what is there. */
async function runProgram(call: ModelCall, answer: (operation: Operation) => Promise<Answer>): Promise<JsonValue> {
  const { code } = JSON.parse(call.arguments)
  const request = { runId: call.id, tenant: 'default', code, limits: DEFAULT_LIMITS, seed: 1, startMs: 0, answer }
  const end = await pool.run(request, new AbortController().signal)
  if (end.kind !== 'value') throw new TypeError('the program failed', { cause: end })
  return end.value
}

function clientCall(call: ModelCall): ModelResult {
  return { kind: 'client-call', name: call.name, arguments: {} }
}
