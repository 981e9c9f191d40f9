import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JsonValue } from '../../../catalog/json.ts'
import { diagnose } from '../../program/diagnose.ts'
import { answerNotices } from '../../program/hints/answer-notices.ts'
import { prepareProgram } from '../../program/prepare-program.ts'
import type { RunError } from '../../run.ts'
import { createIsolatePool } from '../pool.ts'
import type { JournalEvent, ProgramHost } from '../program-host.ts'
import { NEVER, aRequest } from './program-request.ts'

/** A program as a model wrote it, with its right end: the other form that `npm run abuse` reads. */
interface ModelProgram {
  readonly id: string
  readonly code: string
  readonly expect: {
    readonly end: string
    readonly value?: JsonValue
    /** False: it is fine as it is, and nothing may be made of what it looks like. */
    readonly notice?: boolean
    readonly logs?: readonly string[]
    readonly line?: number
    readonly errorHas?: readonly string[]
  }
}

const file = path.join(import.meta.dirname, 'model-programs.jsonl')
const programs: readonly ModelProgram[] = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

let pool: ProgramHost
beforeAll(async () => {
  pool = await createIsolatePool({ workersMin: 2 })
})
afterAll(() => pool.close())

test.concurrent.each(programs)('$id ends as its writer would wish', async ({ code, expect: wanted }) => {
  const ended = await run(code)
  expect(ended).toMatchObject({
    end: wanted.end,
    ...('value' in wanted && { value: wanted.value }),
    ...(wanted.logs !== undefined && { logs: wanted.logs }),
    ...(wanted.line !== undefined && { error: { line: wanted.line } }),
  })
  for (const word of wanted.errorHas ?? []) expect(ended.error?.message.toLowerCase()).toContain(word.toLowerCase())
  if (wanted.notice !== undefined) expect(ended.notices.length > 0).toBe(wanted.notice)
})

interface Ended {
  readonly end: string
  readonly value?: JsonValue
  readonly error?: RunError
  readonly logs: readonly string[]
  readonly notices: readonly unknown[]
}

async function run(code: string): Promise<Ended> {
  const prepared = prepareProgram(code, { sourceBytes: 262_144 })
  const { notices } = prepared
  if (prepared.kind === 'invalid') return { end: prepared.error.code, error: prepared.error, logs: [], notices }
  const { code: body } = prepared
  const events: JournalEvent[] = []
  const record = (event: JournalEvent): number => events.push(event)
  const end = await pool.run(aRequest(body, { record }), NEVER)
  if (end.kind === 'busy') return { end: end.kind, logs: [], notices }
  const logs = end.logs.map(({ text }) => text)
  if (end.kind === 'value') {
    const after = answerNotices({ code: body, events, value: end.value })
    return { end: 'completed', value: end.value, logs, notices: [...notices, ...after] }
  }
  if (end.kind !== 'error') return { end: end.kind, logs, notices }
  const after = answerNotices({ code: body, events })
  return { end: end.code, error: diagnose(end, prepared), logs, notices: [...notices, ...after] }
}
