import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../../json.ts'
import type { AskPerson, ToolQuestion } from '../../../../question.ts'
import { serveAsking } from '../../fixtures/asking-over-http.ts'
import type { RecordedSource } from '../../fixtures/recorded-source.ts'
import { fixture, startSource, textOf } from '../../fixtures/recorded-source.ts'
import type { McpServerConfig } from '../../server-config.ts'

async function aServer(config: McpServerConfig): Promise<RecordedSource> {
  const recorded = startSource({ servers: { server: config } })
  await recorded.ready('server')
  return recorded
}

/** Calls of one sender, who says yes to everything. */
function aCaller(recorded: RecordedSource, sender: string) {
  const asked: ToolQuestion[] = []
  const ask: AskPerson = async (question) => {
    asked.push(question)
    return { action: 'accept', content: { sure: sender === 'ada' } }
  }
  const caller = { tenant: 't', agent: 'default', channel: 'ops', sender }
  const call = async (name: string, args: JsonObject = {}, signal = new AbortController().signal): Promise<string> => {
    const tool = recorded.tools('server').find((each) => each.name === name)
    if (tool?.execute === undefined) throw new Error(`there is no tool ${name}`)
    return textOf(await tool.execute(args, { callId: 'call_1', caller, signal, ask }))
  }
  return { asked, caller, call }
}

/** A call that its caller leaves while it is under way. */
async function leave({ call }: ReturnType<typeof aCaller>, tool: string): Promise<void> {
  const left = new AbortController()
  const ended = call(tool, {}, left.signal)
  await nextTurn()
  left.abort(new Error('left'))
  await expect(ended).rejects.toThrow('left')
}

describe('a server that goes on with a call that was given up', () => {
  test('asks nobody else about it, until it has answered it', async () => {
    await using recorded = await aServer({ command: process.execPath, args: [fixture('deaf-server.mjs')] })
    const [ada, bob] = [aCaller(recorded, 'ada'), aCaller(recorded, 'bob')]
    await leave(ada, 'work')
    expect([await bob.call('nudge'), bob.asked]).toEqual(['decline', []])
    expect(await ada.call('nudge')).toBe('accept')
    expect(ada.asked).toMatchObject([{ message: 'Delete what "work" was told to?', doubt: { givenUp: ['work'] } }])
    await bob.call('finish')
    expect(await bob.call('nudge')).toBe('accept')
    expect(bob.asked.map((question) => 'doubt' in question)).toEqual([false])
    expect(recorded.log.filter(({ message }) => message.includes('not waiting'))).toEqual([])
  })

  test.each([
    ['a resource that a caller gave up may be asked about, to that one alone', 'resources/read', 'decline'],
    ['of a list that took too long there is nothing to ask', 'resources/list', 'accept'],
  ] as const)('%s', async (_what, method, said) => {
    await using recorded = await aServer({ command: process.execPath, args: [fixture('deaf-server.mjs')] })
    const [ada, bob] = [aCaller(recorded, 'ada'), aCaller(recorded, 'bob')]
    const request = { method, params: { uri: 'file:///a' }, waitMs: 30, caller: ada.caller }
    await expect(recorded.source.request('server', request, new AbortController().signal)).rejects.toThrow('30 ms')
    expect([await bob.call('nudge'), await ada.call('nudge')]).toEqual([said, 'accept'])
  })

  test('asks anybody again once its session was opened again', async () => {
    await using recorded = await aServer({ command: process.execPath, args: [fixture('deaf-server.mjs')] })
    const [ada, bob] = [aCaller(recorded, 'ada'), aCaller(recorded, 'bob')]
    await leave(ada, 'work')
    expect(await bob.call('nudge')).toBe('decline')
    recorded.source.reconnect('server')
    await expect.poll(() => bob.call('nudge').catch(String)).toBe('accept')
  })
})

describe('over Streamable HTTP a question', () => {
  test('on the stream of a call is of that call, whatever else is under way', async () => {
    await using http = await serveAsking()
    await using recorded = await aServer({ url: http.url, allowPrivateAddresses: true })
    const [ada, bob] = [aCaller(recorded, 'ada'), aCaller(recorded, 'bob')]
    const said = await Promise.all([ada.call('together', { of: 1 }), bob.call('together', { of: 2 })])
    expect(said).toEqual(['{"sure":true}', '{"sure":false}'])
    expect([ada.asked, bob.asked]).toMatchObject([
      [{ message: 'Sure of {"of":1}?' }],
      [{ message: 'Sure of {"of":2}?' }],
    ])
  })

  test("on the stream that is no call's is of the only call, unless another caller's may be meant that was given up", async () => {
    await using http = await serveAsking()
    await using recorded = await aServer({ url: http.url, allowPrivateAddresses: true })
    const [ada, bob] = [aCaller(recorded, 'ada'), aCaller(recorded, 'bob')]
    expect(await bob.call('apart')).toBe('accept')
    await leave(ada, 'together')
    expect([await bob.call('apart'), bob.asked.length]).toEqual(['decline', 1])
    expect(await ada.call('apart')).toBe('accept')
  })
})
