import { expect, test } from 'vitest'
import { startCpuClock } from '../../../../catalog/testing/start-cpu-clock.ts'
import { parseChatRequest } from './chat-request.ts'

const named = (name: string) => ({ type: 'function', function: { name } })

const chosen = (choice: unknown, names: readonly string[] = ['open_tab', 'close_tab', 'print']) => {
  const request = { model: 'drawbridge', messages: [{ role: 'user', content: 'hi' }], tools: names.map(named) }
  const { clientTools, toolChoice } = parseChatRequest({ ...request, tool_choice: choice })
  return { tools: clientTools.map(({ name }) => name), toolChoice }
}

test.each([undefined, null, 'auto', 'none', 'required', named('print')])(
  '%j leaves the tools as they are',
  (choice) => {
    expect(chosen(choice)).toEqual({
      tools: ['open_tab', 'close_tab', 'print'],
      toolChoice: choice ?? undefined,
    })
  },
)

test.each(['auto', 'required'])('of allowed tools alone the model is shown, in their own order, with "%s"', (mode) => {
  const tools = [named('print'), named('open_tab'), named('print')]
  expect(chosen({ type: 'allowed_tools', allowed_tools: { mode, tools } })).toEqual({
    tools: ['open_tab', 'print'],
    toolChoice: mode,
  })
})

test.each([
  ['any', 'tool_choice', 'must be "auto", "none", "required", {'],
  [{ type: 'function' }, 'tool_choice', 'must be "auto"'],
  [named('paint'), 'tool_choice.function.name', '(open_tab, close_tab, print)'],
  [{ type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [] } }, 'tool_choice', '"allowed_tools"'],
  [{ type: 'allowed_tools', allowed_tools: { mode: 'none', tools: [named('print')] } }, 'tool_choice', 'must be'],
  [
    { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [named('print'), named('paint')] } },
    'tool_choice.allowed_tools.tools[1].function.name',
    '"paint" is none of the tools of this request',
  ],
])('%j is refused by the field that is wrong', (choice, param, words) => {
  expect(() => chosen(choice)).toThrow(expect.objectContaining({ param, message: expect.stringContaining(words) }))
})

test('a request without tools is told so', () => {
  expect(() => chosen(named('print'), [])).toThrow('"print" is none of the tools of this request (it has none)')
})

test('a list that allows a tool hundreds of thousands of times costs no more than reading it', () => {
  const names = Array.from({ length: 2_048 }, (_, n) => `tool_${n}`)
  const tools = Array.from({ length: 200_000 }, () => named('tool_2047'))
  const cpuMsAmong = (known: readonly string[]): number => {
    const spentMs = startCpuClock()
    const { tools: shown } = chosen({ type: 'allowed_tools', allowed_tools: { mode: 'auto', tools } }, known)
    expect(shown).toEqual(['tool_2047'])
    return spentMs()
  }
  // Each looked for among all tools took 3 s.
  const alone = cpuMsAmong(['tool_2047'])
  expect(cpuMsAmong(names)).toBeLessThan(2 * alone + 200)
})
