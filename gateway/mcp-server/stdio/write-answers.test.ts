import { expect, test } from 'vitest'
import { PROGRESS_GAP_MS } from '../limits.ts'
import { writeAnswers } from './write-answers.ts'

const STEP = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } }
const ANSWER = { jsonrpc: '2.0', id: 1, result: {} }

test('an answer that comes in one piece with a step of progress is written apart from it', async () => {
  const body = [STEP, STEP, ANSWER].map((message) => `data: ${JSON.stringify(message)}\n\n`).join('')
  const response = new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  const written: { readonly text: string; readonly atMs: number }[] = []
  const write = async (text: string): Promise<void> => void written.push({ text, atMs: performance.now() })
  expect(await writeAnswers(response, write, 1)).toBe(true)
  expect(written.map(({ text }) => JSON.parse(text))).toEqual([STEP, STEP, ANSWER])
  // Timers may be a millisecond early.
  expect((written[2]?.atMs ?? 0) - (written[1]?.atMs ?? 0)).toBeGreaterThanOrEqual(PROGRESS_GAP_MS - 1)
})
