import type { ServerContext } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import type { Mode } from '../../../bridge/presentation/presentation.ts'
import { createProgressNotes } from './progress-notes.ts'

function notesFor(meta: { readonly progressToken?: string | number } | undefined, mode: Mode = 'direct') {
  const sent: unknown[] = []
  const mcpReq: Partial<ServerContext['mcpReq']> = {
    ...(meta && { _meta: { ...meta } }),
    notify: async (notification) => void sent.push(notification.params),
  }
  // The rest of a context is the SDK's affair.
  const context: ServerContext = Object.assign(Object.create(null), { mcpReq })
  const notes = createProgressNotes(context, mode, { now: () => performance.now(), onError: () => {} })
  return { notes, sent, step: (progress: number) => notes.onProgress?.({ progress, total: 10 }, 'mcp:a:b') }
}

test('a client that did not ask for progress gets none, and nobody is asked for it', () => {
  expect(notesFor(undefined).notes.onProgress).toBeUndefined()
  expect(notesFor({}).notes.onProgress).toBeUndefined()
})

test('steps go out with the token of the request, and only grow', async () => {
  const { sent, step } = notesFor({ progressToken: 7 })
  step(1)
  await expect.poll(() => sent.length).toBe(1)
  step(1)
  step(0.5)
  step(Number.NaN)
  step(2)
  await expect.poll(() => sent.length).toBe(2)
  expect(sent).toEqual([
    { progressToken: 7, progress: 1, total: 10 },
    { progressToken: 7, progress: 2, total: 10 },
  ])
})

test('of a storm the newest step is sent', async () => {
  const { sent, step } = notesFor({ progressToken: 'a' })
  for (let count = 1; count <= 1_000; count += 1) step(count)
  await expect.poll(() => sent.at(-1)).toMatchObject({ progress: 1_000 })
  expect(sent.length).toBeLessThan(10)
})

test('the newest step comes before the end, and nothing after it', async () => {
  const { notes, sent, step } = notesFor({ progressToken: 'a' })
  step(1)
  step(2)
  notes.end()
  step(3)
  await new Promise((resolve) => setTimeout(resolve, 80))
  expect(sent).toEqual([expect.objectContaining({ progress: 2 })])
})

test('the steps of the calls of a program are counted together, each with its tool', async () => {
  const { notes, sent } = notesFor({ progressToken: 'a' }, 'code')
  notes.onProgress?.({ progress: 90, total: 100 }, 'mcp:a:b')
  await expect.poll(() => sent.length).toBe(1)
  notes.onProgress?.({ progress: 1, message: 'started' }, 'mcp:c:d')
  await expect.poll(() => sent.length).toBe(2)
  expect(sent).toEqual([
    { progressToken: 'a', progress: 1, message: 'mcp:a:b: 90/100' },
    { progressToken: 'a', progress: 2, message: 'mcp:c:d: started' },
  ])
})
