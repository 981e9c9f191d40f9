import { describe, expect, test } from 'vitest'
import type { ModelResult, Presentation } from '../../bridge/presentation/presentation.ts'
import type { ChatMessage, ToolCallPart } from '../providers/provider.ts'
import type { FakeTurn } from './fixtures/turn-makers.ts'
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
  runToEvents,
  says,
} from './fixtures/turn-makers.ts'

const clientTools = ['open_tab']

describe('a call that only the client can run', () => {
  test("ends the turn under the tool's own name, after the other calls of the step have run", async () => {
    const { presentation, handled } = inToolsMode()
    const turn = aTurn({ provider: aModel(calls(openTab('a'), aCall('b', 'tool_search'))), presentation })
    const { end, calls: forClient } = endOf(await runToEvents(aRequest({ clientTools }), turn.deps), 'finished')
    expect(end).toBe('tool_calls')
    expect(forClient.map((call) => call.function)).toEqual([{ name: 'open_tab', arguments: '{"url":"x"}' }])
    expect(forClient[0]?.id).toMatch(/^call_[0-9a-f]{24}_1$/)
    expect(handled()).toEqual(['tool_call', 'tool_search'])
    expect(turn.log.at(-1)).toMatchObject({ event: 'turn-finished', end: 'tool_calls', finalSource: 'client' })
  })

  test('the turn of a stateless client goes on with all that the model had seen', async () => {
    const { presentation } = inToolsMode()
    const model = aModel(
      calls(aCall('s', 'tool_search')),
      calls(openTab('a'), aCall('b', 'tool_search')),
      says('Opened.'),
    )
    const turn = aTurn({ provider: model, presentation })
    const history = await answerOnce(turn)
    await runToEvents(aRequest({ clientTools, messages: history }), turn.deps)
    const id = idOf(history)
    expect(model.asked[2]?.messages.slice(1)).toEqual([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: null, tool_calls: [aCall('s', 'tool_search')] },
      { role: 'tool', tool_call_id: 's', content: 'found' },
      { role: 'assistant', content: null, tool_calls: [{ ...openTab('a'), id }, aCall('b', 'tool_search')] },
      { role: 'tool', tool_call_id: 'b', content: 'found' },
      { role: 'tool', tool_call_id: id, content: 'tab 7' },
    ])
  })

  test('goes out alone where the client forbade parallel calls, and the model is told of the others', async () => {
    const { presentation } = inToolsMode()
    const model = aModel(calls(openTab('a'), aCall('b', 'tool_search'), openTab('c')), says('Opened.'))
    const turn = aTurn({ provider: model, presentation })
    const request = aRequest({ clientTools, parameters: { parallel_tool_calls: false } })
    const { calls: forClient } = endOf(await runToEvents(request, turn.deps), 'finished')
    expect(forClient).toHaveLength(1)
    const id = forClient[0]?.id ?? ''
    const told: readonly ChatMessage[] = [
      ...request.messages,
      { role: 'assistant', content: null, tool_calls: forClient },
      { role: 'tool', tool_call_id: id, content: 'tab 7' },
    ]
    await runToEvents({ ...request, messages: told }, turn.deps)
    expect(model.asked[1]?.messages.slice(-3)).toEqual([
      { role: 'tool', tool_call_id: 'b', content: 'found' },
      { role: 'tool', tool_call_id: 'c', content: expect.stringContaining('one call of its tools at a time') },
      { role: 'tool', tool_call_id: id, content: 'tab 7' },
    ])
  })

  test("without its hidden messages the client's history is enough, in the form in which the model calls", async () => {
    const { presentation } = inToolsMode()
    const model = aModel(calls(openTab('a')), says('Opened.'))
    const turn = aTurn({ provider: model, presentation })
    const history = await answerOnce(turn)
    const other = aTurn({ provider: model, presentation })
    const events = await runToEvents(aRequest({ clientTools, messages: history }), other.deps)
    expect(endOf(events, 'finished').end).toBe('stop')
    expect(model.asked[1]?.messages.slice(2)).toEqual([
      { role: 'assistant', content: null, tool_calls: [{ ...openTab('a'), id: idOf(history) }] },
      { role: 'tool', tool_call_id: idOf(history), content: 'tab 7' },
    ])
  })

  test('what is hidden of a turn is never given to another tenant', async () => {
    const { presentation } = inToolsMode()
    const model = aModel(calls(aCall('s', 'tool_search')), calls(openTab('a')), says('Opened.'))
    const turn = aTurn({ provider: model, presentation })
    const history = await answerOnce(turn)
    const caller = { tenant: 'other', agent: 'default' }
    await runToEvents(aRequest({ caller, clientTools, messages: history }), turn.deps)
    expect(JSON.stringify(model.asked[2]?.messages)).not.toContain('found')
  })

  test('what is hidden of two turns in one history is put back in its places', async () => {
    const { presentation } = inToolsMode()
    const model = aModel(
      calls(aCall('s1', 'tool_search')),
      calls(openTab('a')),
      calls(aCall('s2', 'tool_search')),
      calls(openTab('b')),
      says('Done.'),
    )
    const turn = aTurn({ provider: model, presentation })
    const once = await answerOnce(turn)
    const twice = await answerOnce(turn, once)
    await runToEvents(aRequest({ clientTools, messages: twice }), turn.deps)
    const ids = model.asked[4]?.messages.flatMap((message) => (message.role === 'tool' ? [message.tool_call_id] : []))
    expect(ids).toEqual(['s1', idOf(once), 's2', idOf(twice)])
  })

  test('in a session the client sends only the result', async () => {
    const { presentation } = inToolsMode()
    const model = aModel(calls(aCall('s', 'tool_search')), calls(openTab('a')), says('Opened.'))
    const turn = aTurn({ provider: model, presentation, stored: [] })
    const history = await answerOnce(turn)
    const result: ChatMessage = { role: 'tool', tool_call_id: idOf(history), content: '' }
    const events = await runToEvents(aRequest({ clientTools, messages: [result] }), turn.deps)
    expect(endOf(events, 'finished').end).toBe('stop')
    expect(turn.session.map((message) => message.role).join(' ')).toBe('user assistant tool assistant tool assistant')
    expect(model.asked[2]?.messages.at(-1)).toEqual(result)
  })

  test('a session whose client never sent the result goes on with that said', async () => {
    const { presentation } = inToolsMode()
    const model = aModel(calls(openTab('a')), says('Never mind.'))
    const turn = aTurn({ provider: model, presentation, stored: [] })
    await answerOnce(turn)
    await runToEvents(aRequest({ clientTools, messages: [{ role: 'user', content: 'forget it' }] }), turn.deps)
    expect(model.asked[1]?.messages.at(-2)?.content).toContain('sent no result')
    expect(model.asked[1]?.messages.at(-1)).toEqual({ role: 'user', content: 'forget it' })
  })

  test('a store that cannot park the turn does not cost it', async () => {
    const { presentation } = inToolsMode()
    const failing = { put: () => Promise.reject(new Error('disk full')), get: async () => undefined }
    const turn = aTurn({ provider: aModel(calls(openTab('a'))), presentation, hidden: failing })
    expect(endOf(await runToEvents(aRequest({ clientTools }), turn.deps), 'finished').end).toBe('tool_calls')
    expect(turn.log).toContainEqual(expect.objectContaining({ event: 'turn-not-parked', reason: 'disk full' }))
  })
})

describe('tool choice', () => {
  test('required holds until a client tool is called, and text instead is a failure', async () => {
    const { presentation } = inToolsMode()
    const model = aModel(calls(aCall('s', 'tool_search')), says('I would rather not.'))
    const events = await runToEvents(
      aRequest({ clientTools, toolChoice: 'required' }),
      aTurn({ provider: model, presentation }).deps,
    )
    expect(endOf(events, 'failed').failure.code).toBe('tool_choice_unmet')
    expect(model.asked.map((request) => request.toolChoice)).toEqual(['required', 'required'])
  })

  test('required without client tools asks for one call of ours', async () => {
    const model = aModel(calls(aCall('a', 'one')), says('ok'))
    const events = await runToEvents(aRequest({ toolChoice: 'required' }), aTurn({ provider: model }).deps)
    expect(endOf(events, 'finished').end).toBe('stop')
    expect(model.asked.map((request) => request.toolChoice)).toEqual(['required', undefined])
  })

  test('a pinned client tool that is shown is pinned upstream', async () => {
    const presentation = aPresentation({ tools: [aTool('open_tab')], handle: clientCall })
    const model = aModel(calls(aCall('a', 'open_tab', '{"url":"x"}')))
    const toolChoice = { type: 'function', function: { name: 'open_tab' } } as const
    const events = await runToEvents(
      aRequest({ clientTools, toolChoice }),
      aTurn({ provider: model, presentation }).deps,
    )
    expect(endOf(events, 'finished').end).toBe('tool_calls')
    expect(model.asked[0]?.toolChoice).toEqual(toolChoice)
  })

  test('a pinned client tool behind tool_call is required and named in the prompt', async () => {
    const { presentation } = inToolsMode()
    const model = aModel(calls(openTab('a')))
    const toolChoice = { type: 'function', function: { name: 'open_tab' } } as const
    await runToEvents(aRequest({ clientTools, toolChoice }), aTurn({ provider: model, presentation }).deps)
    expect(model.asked[0]?.toolChoice).toBe('required')
    expect(model.asked[0]?.messages[0]?.content).toContain('tool_call {"id":"client:client:open_tab","args":{}}')
  })

  test('another client tool than the pinned one is a failure', async () => {
    const presentation = aPresentation({ tools: [aTool('open_tab'), aTool('close_tab')], handle: clientCall })
    const model = aModel(calls(aCall('a', 'close_tab')))
    const toolChoice = { type: 'function', function: { name: 'open_tab' } } as const
    const request = aRequest({ clientTools: ['open_tab', 'close_tab'], toolChoice })
    const { failure } = endOf(await runToEvents(request, aTurn({ provider: model, presentation }).deps), 'failed')
    expect(failure).toEqual({
      code: 'tool_choice_unmet',
      message: 'tool_choice "open_tab" was not met: the model did not call it',
    })
  })

  test('a model that calls although the client said none gets no tool run', async () => {
    const presentation = aPresentation({})
    const model = aModel(calls(aCall('a', 'one')), says('fine'))
    await runToEvents(aRequest({ toolChoice: 'none' }), aTurn({ provider: model, presentation }).deps)
    expect(presentation.handled).toEqual([])
    expect(model.asked[1]?.messages.at(-1)?.content).toContain('tool_choice "none"')
  })
})

function openTab(id: string): ToolCallPart {
  return aCall(id, 'tool_call', '{"id":"client:client:open_tab","args":{"url":"x"}}')
}

function clientCall(call: { readonly name: string }): ModelResult {
  return { kind: 'client-call', name: call.name, arguments: { url: 'x' } }
}

function inToolsMode(): { readonly presentation: Presentation; readonly handled: () => readonly string[] } {
  const presentation = aPresentation({
    mode: 'tools',
    tools: [aTool('tool_search'), aTool('tool_call')],
    handle: (call) => (call.name === 'tool_call' ? clientCall({ name: 'open_tab' }) : aResult('found')),
    recall: (call) => ({
      name: 'tool_call',
      arguments: JSON.stringify({ id: `client:client:${call.name}`, args: JSON.parse(call.arguments) }),
    }),
  })
  return { presentation, handled: () => presentation.handled.map((call) => call.name) }
}

/** Runs a turn to its client call and adds what a client would: the assistant message that it saw, and its result. */
async function answerOnce(
  turn: FakeTurn,
  messages: readonly ChatMessage[] = aRequest().messages,
): Promise<readonly ChatMessage[]> {
  const { calls: forClient } = endOf(await runToEvents(aRequest({ clientTools, messages }), turn.deps), 'finished')
  const results = forClient.map((call) => ({ role: 'tool' as const, tool_call_id: call.id, content: 'tab 7' }))
  return [...messages, { role: 'assistant', content: null, tool_calls: forClient }, ...results]
}

/** The id of the last result. */
function idOf(history: readonly ChatMessage[]): string {
  const last = history.at(-1)
  if (last?.role !== 'tool') throw new TypeError('the history does not end with a result')
  return last.tool_call_id
}
