import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { ToolDefinition } from '../catalog/tool.ts'
import { createTool } from '../catalog/tool.ts'
import type { BeforeToolCallEvent } from './hooks.ts'
import type { KeepBlocks } from './result/keep-blocks.ts'
import { toolValue } from './result/tool-value.ts'
import { anExecuteTool } from './testing/a-call-path.ts'

const caller = { tenant: 'default', agent: 'default' }
const event: BeforeToolCallEvent = {
  callId: 'call-1',
  toolId: 'mcp:slow:wait',
  source: 'mcp',
  owner: 'slow',
  name: 'wait',
  params: {},
  caller,
}

function execute(more: Partial<ToolDefinition>, keepBlocks?: KeepBlocks) {
  const run = anExecuteTool({ toolValue, deadlineMs: 60_000, ...(keepBlocks && { keepBlocks }) })
  const tool = createTool('mcp', 'slow', { name: 'wait', description: '', inputSchema: { type: 'object' }, ...more })
  return run({ callId: 'call-1', event, caller, tool, input: {} }, new AbortController().signal)
}

test('a tool with a deadline of its own is given up after it, whatever holds for the others', async () => {
  const forEver: ToolDefinition['execute'] = () => new Promise(() => {})
  expect(await execute({ deadlineMs: 20, execute: forEver })).toMatchObject({
    kind: 'timed-out',
    message: expect.stringContaining('within 20 ms'),
    effect: 'unknown',
  })
})

test('what of a result is no text is kept before its value is made', async () => {
  const image = { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' }
  const outcome = await execute({ execute: async () => ({ content: [image] }) }, async (result, of) => {
    expect(of).toBe(caller)
    return { ...result, content: result.content.map((block) => ({ ...block, artifact: 'art_1' })) }
  })
  expect(outcome).toMatchObject({ kind: 'ok', value: { blocks: [{ artifact: 'art_1', type: 'image', bytes: 3 }] } })
})

test('a call whose result meets a defect of ours still says that its tool has done its work', async () => {
  const broken = (): Promise<never> => Promise.reject(new TypeError('a defect'))
  const give: ToolDefinition['execute'] = async () => ({ content: [] })
  expect(await execute({ execute: give }, broken)).toMatchObject({ kind: 'failed', effect: 'done' })
  const reads = { execute: give, annotations: { readOnlyHint: true } }
  expect(await execute(reads, broken)).toMatchObject({ kind: 'failed', effect: 'none' })
})

test('while a person is asked the deadline comes no nearer, nor that of who made the call', async () => {
  const clock: string[] = []
  const run = anExecuteTool({
    toolValue,
    async answerQuestion({ number }) {
      await pause(150)
      return { action: 'accept', content: { number } }
    },
  })
  const execute: ToolDefinition['execute'] = async (_args, { ask, signal }) => {
    const form = { kind: 'form', message: 'Sure?', schema: {} } as const
    const answers = [await ask?.(form, signal), await ask?.(form, signal)]
    return { content: [{ type: 'text', text: JSON.stringify(answers) }] }
  }
  const definition = {
    name: 'ask',
    description: '',
    inputSchema: { type: 'object' },
    deadlineMs: 100,
    execute,
  } as const
  const tool = createTool('mcp', 'slow', definition)
  const stopClock = () => {
    clock.push('stopped')
    return () => void clock.push('goes on')
  }
  const { signal } = new AbortController()
  const outcome = await run({ callId: 'call-1', event, caller, tool, input: {}, pause: stopClock }, signal)
  expect(outcome).toMatchObject({ kind: 'ok', value: expect.stringMatching(/"number":1.*"number":2/) })
  expect(clock).toEqual(['stopped', 'goes on', 'stopped', 'goes on'])
})
