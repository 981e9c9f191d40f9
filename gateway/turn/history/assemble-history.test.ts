import { describe, expect, test } from 'vitest'
import { startCpuClock } from '../../../catalog/testing/start-cpu-clock.ts'
import type { ChatMessage } from '../../providers/provider.ts'
import { ProviderError } from '../../providers/provider.ts'
import { assembleHistory } from './assemble-history.ts'
import { createSessionGate } from '../session-gate.ts'
import { aCall, aModel, aPresentation, aRequest, aTurn, calls, runToEvents, says } from '../fixtures/turn-makers.ts'

const user = (content: string): ChatMessage => ({ role: 'user', content })
const assistant = (content: string): ChatMessage => ({ role: 'assistant', content })
const called = (...ids: readonly string[]): ChatMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => aCall(id, 'one')),
})
const result = (id: string): ChatMessage => ({ role: 'tool', tool_call_id: id, content: 'r' })

describe('what is wrong with a history', () => {
  test.each([
    [[user('a'), result('x')], 'messages[1].tool_call_id', '"x" matches no call'],
    [[user('a'), called('x'), user('b')], 'messages[1].tool_calls', 'the call "x" without a tool message'],
    [[user('a'), called('x', 'y'), result('x')], 'messages[1].tool_calls', 'the call "y" without'],
    [[user('a'), called('x'), result('x'), result('x')], 'messages[3].tool_call_id', '"x" was already answered'],
  ])('is named with its place: %#', async (messages, param, what) => {
    const history = await assemble(messages)
    expect(history).toMatchObject({ kind: 'invalid', param, message: expect.stringContaining(what) })
  })

  test('an id that a server uses again and again is no fault', async () => {
    const messages = [user('a'), called('c0'), result('c0'), assistant('b'), user('c'), called('c0'), result('c0')]
    expect(await assemble(messages)).toMatchObject({ kind: 'ready', conversation: messages })
  })
})

describe('a session', () => {
  const stored = [user('one'), assistant('first'), user('two'), called('x'), result('x'), assistant('second')]

  test('gets only what is new, whether the client sends that or its whole history', async () => {
    const short = await assemble([user('three')], stored)
    const long = await assemble(
      [user('one'), assistant('first'), user('two'), assistant('second'), user('three')],
      stored,
    )
    expect(short).toEqual(long)
    expect(short).toMatchObject({ fresh: [user('three')], conversation: [...stored, user('three')] })
  })

  test('knows an answer again that several model steps made', async () => {
    const steps = [user('one'), { ...called('x'), content: 'Wait.' } as const, result('x'), assistant('Here.')]
    const history = await assemble([user('one'), assistant('Wait.\n\nHere.'), user('two')], steps)
    expect(history).toMatchObject({ fresh: [user('two')] })
  })

  test('knows the answer that followed a result of the client, and no mere part of a step', async () => {
    const steps = [
      user('one'),
      { ...called('x'), content: 'Wait.' } as const,
      result('x'),
      assistant('Here.'),
      assistant('Done.'),
    ]
    for (const said of ['Here.', 'Here.\n\nDone.', 'Wait.\n\nHere.\n\nDone.']) {
      expect(await assemble([assistant(said), user('two')], steps)).toMatchObject({ fresh: [user('two')] })
    }
    for (const strange of ['ere.', 'Here.Done.', 'Wait.\n\nDone.', 'So: Here.\n\nDone.', '\n\nDone.']) {
      const history = await assemble([assistant(strange), user('two')], steps)
      expect(history).toMatchObject({ fresh: [assistant(strange), user('two')] })
    }
  })

  test('of thousands of steps without a word of the user costs no more than reading it', async () => {
    const steps = [user('one'), ...Array.from({ length: 5_000 }, (_, n) => assistant(`step ${n}`))]
    const history = await assemble([assistant('never said'), user('two')], steps)
    expect(history).toMatchObject({ fresh: [assistant('never said'), user('two')] })
  })

  test('whose answers the client has rewritten is not compared word by word with all that the session knows', async () => {
    const said = (count: number, words: string): readonly ChatMessage[] =>
      Array.from({ length: count }, (_, n) => [user(`q ${n}`), assistant(`${words} ${n}`)]).flat()
    const [own, known] = [said(10_000, 'rewritten'), said(40_000, 'said')]
    const spentMs = startCpuClock()
    const history = await assemble([...own, user('last')], known)
    // Each against each took 13 s, in which no other caller was served.
    expect(spentMs()).toBeLessThan(3000)
    expect(history.kind === 'ready' && history.fresh.length).toBe(own.length + 1)
  })

  test('knows an answer of several steps by its end, whatever lines they are of', async () => {
    const steps = [user('one'), assistant('a\n'), assistant('\nb'), assistant('c\n\nd\n')]
    const whole = ['a\n', '\nb', 'c\n\nd\n'].join('\n\n')
    for (const shown of [whole, 'a\n\n\n\nb', '\nb\n\nc\n\nd\n', 'c\n\nd\n'])
      expect(await assemble([assistant(shown), user('two')], steps)).toMatchObject({ fresh: [user('two')] })
  })

  test('that is new takes the whole history, system messages among it', async () => {
    const messages: readonly ChatMessage[] = [{ role: 'system', content: 's' }, user('a'), assistant('b'), user('c')]
    expect(await assemble(messages)).toMatchObject({ fresh: messages, head: [messages[0]] })
  })

  test('keeps the system messages that it began with, until a request brings its own', async () => {
    const begun: readonly ChatMessage[] = [{ role: 'system', content: 'old' }, ...stored]
    expect(await assemble([user('three')], begun)).toMatchObject({ head: [begun[0]] })
    const own: ChatMessage = { role: 'system', content: 'new' }
    expect(await assemble([own, user('three')], begun)).toMatchObject({ head: [own], fresh: [user('three')] })
  })

  test('a result that it already has is not taken twice', async () => {
    const history = await assemble([called('x'), result('x'), assistant('an edited answer'), user('three')], stored)
    expect(history).toMatchObject({ fresh: [assistant('an edited answer'), user('three')] })
  })

  test('the history that it keeps is the history that the next turn shows', async () => {
    const model = aModel(calls(aCall('a', 'one')), says('first'), says('second'))
    const turn = aTurn({ provider: model, stored: [] })
    await runToEvents(aRequest({ messages: [user('one')] }), turn.deps)
    await runToEvents(aRequest({ messages: [user('one'), assistant('first'), user('two')] }), turn.deps)
    const before = model.asked[1]?.messages ?? []
    expect(model.asked[2]?.messages).toEqual([...before, assistant('first'), user('two')])
    expect(turn.session.map((message) => message.role).join(' ')).toBe('user assistant tool assistant user assistant')
  })

  test('two requests at once are answered one after the other, and both stay in the history', async () => {
    const gate = createSessionGate()
    const enterSession = (signal: AbortSignal) => gate.enter('default/s', signal)
    const model = aModel(says('first'), says('second'))
    const turn = aTurn({ provider: model, stored: [], enterSession })
    const ask = (content: string) => runToEvents(aRequest({ messages: [user(content)] }), turn.deps)
    await Promise.all([ask('one'), ask('two')])
    expect(model.asked[1]?.messages).toEqual([user('one'), assistant('first'), user('two')])
    expect(turn.session).toEqual([user('one'), assistant('first'), user('two'), assistant('second')])
  })

  test('nothing is kept of a turn whose first step failed, so asking again does not ask twice', async () => {
    const turn = aTurn({ provider: aModel(refused, says('Here.')), stored: [] })
    await runToEvents(aRequest(), turn.deps)
    expect(turn.session).toEqual([])
    await runToEvents(aRequest(), turn.deps)
    expect(turn.session).toEqual([user('hi'), assistant('Here.')])
  })
})

async function assemble(messages: readonly ChatMessage[], stored: readonly ChatMessage[] = []) {
  const hidden = { get: async () => undefined }
  return assembleHistory({ tenant: 'default', messages, stored, hidden, presentation: aPresentation({}) })
}

function refused(): never {
  throw new ProviderError('provider "x" failed', { code: 'upstream_failed' })
}
