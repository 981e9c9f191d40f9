import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { NEVER, aRequest } from '../abuse/program-request.ts'
import { createIsolatePool } from '../pool.ts'
import type { Answer, JournalEvent, ProgramEnd, ProgramHost, ProgramRequest, ReplaySource } from '../program-host.ts'

let pool: ProgramHost
beforeAll(async () => {
  pool = await createIsolatePool({ workersMin: 4, workersMax: 8 })
})
afterAll(() => pool.close())

type Options = Parameters<typeof aRequest>[1]

async function record(code: string, options?: Options): Promise<{ end: ProgramEnd; events: JournalEvent[] }> {
  const events: JournalEvent[] = []
  const end = await pool.run(aRequest(code, { ...options, record: (event) => events.push(event) }), NEVER)
  return { end, events }
}

function replay(code: string, replay: ReplaySource, options?: Options): Promise<ProgramEnd> {
  const answer: ProgramRequest['answer'] = () => Promise.reject(new Error('a replay asks nothing'))
  return pool.run(aRequest(code, { answer, ...options, replay }), NEVER)
}

/** What must be the same to the letter. */
function essence(end: ProgramEnd): unknown {
  const { kind, logs, logBytesDropped } = end
  if (end.kind === 'value') return { kind, value: end.value, logs, logBytesDropped }
  if (end.kind !== 'error') return { kind }
  return { kind, code: end.code, name: end.name, message: end.message, line: end.line, column: end.column, logs }
}

const CODE = `const out = []
const slow = tools.call('plugin:slow:wait', { ms: 250 })
for (let i = 0; i < 3; i++) { out.push((await tools.math.add({ a: i, b: 1 })).sum, Date.now(), Math.random()); console.log('step', i) }
await slow
setTimeout(() => console.log('timer'), 5)
await new Promise((resolve) => setTimeout(resolve, 8))
return out`

describe('a replay', () => {
  test('gives the same value, log and times, and asks nothing', async () => {
    const { end, events } = await record(CODE)
    expect(essence(await replay(CODE, { events, afterLast: 'stop' }))).toEqual(essence(end))
    expect(end).toMatchObject({ kind: 'value' })
  })

  test('gives the same error', async () => {
    const code = "await tools.call('plugin:math:add', { a: 1, b: 1 })\nawait tools.call('plugin:none:none')"
    const { end, events } = await record(code)
    expect(essence(await replay(code, { events, afterLast: 'stop' }))).toEqual(essence(end))
  })

  test('ends as its record did, where the end came from outside', async () => {
    const code = "console.log('a')\nawait tools.call('plugin:slow:wait', { ms: 5000 })"
    const { end, events } = await record(code, { limits: { wallMs: 200 } })
    expect(end).toMatchObject({ code: 'timeout' })
    const told = { kind: 'error', code: 'timeout', message: end.kind === 'error' ? end.message : '' }
    expect(await replay(code, { events, afterLast: 'stop' })).toMatchObject(told)
    // On a busy machine it may be ended before it asks for anything.
    const before = events.filter(({ kind }) => kind === 'ended')
    expect(await replay(code, { events: before, afterLast: 'stop' })).toMatchObject(told)
  })

  test('stops after the answer that it is told, with the log so far', async () => {
    const { events } = await record(CODE)
    const end = await replay(CODE, { events, afterLast: 'stop', untilAnswer: 2 })
    expect(end).toMatchObject({ kind: 'stopped', answers: 2 })
    expect(end.logs.map((entry) => entry.text)).toEqual(['step 0', 'step 1'])
  })

  test('of a changed program says where it asks for something else, and asks nothing', async () => {
    const { events } = await record(CODE)
    const changed = CODE.replace('b: 1', 'b: i')
    const end = await replay(changed, { events, afterLast: 'stop' })
    expect(end).toMatchObject({ code: 'replay-diverged', message: expect.stringContaining('operation 2') })
    expect(
      await replay(`${CODE}\nawait 1`.replace('return out', 'await tools.x(); return out'), {
        events,
        afterLast: 'stop',
      }),
    ).toMatchObject({ code: 'replay-diverged' })
  })

  test('of a program that changed only what it does with the answers runs through', async () => {
    const { events } = await record(CODE)
    expect(await replay(CODE.replace('return out', 'return out.length'), { events, afterLast: 'stop' })).toMatchObject({
      value: 9,
    })
  })

  test('goes on live where it is told to, and repeats no call', async () => {
    const code =
      "const a = await tools.x('first')\nconst b = await tools.x('second').catch((e) => e.effect)\nreturn [a, b, await tools.x('third')]"
    const asked: JsonValue[] = []
    const answer: ProgramRequest['answer'] = async (operation, _id, signal) => {
      const args = operation.kind === 'call' ? operation.args : null
      asked.push(args)
      if (args === 'second') await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      return { kind: 'value', value: args }
    }
    const { events } = await record(code, { answer, limits: { wallMs: 100 } })
    const resumed = events.filter((event) => event.kind !== 'ended')
    const end = await replay(code, { events: resumed, afterLast: 'live' }, { answer })
    expect(end).toMatchObject({ kind: 'value', value: ['first', 'unknown', 'third'] })
    expect(asked).toEqual(['first', 'second', 'third'])
  })
})

describe('a record that ends with answers of which nothing more was heard', () => {
  // What it asks for after the first answer was not heard before the second was sent.
  const code =
    "const third = tools.x('first').then(() => tools.x('third'))\nreturn [await tools.x('second'), await third]"
  const echo: ProgramRequest['answer'] = async (operation) => value(operation.kind === 'call' ? operation.args : null)
  const heard = async (): Promise<JournalEvent[]> => {
    const { events } = await record(code, { answer: echo })
    return events.filter((event) => event.kind !== 'ended' && event.id < 3)
  }

  test('is gone on from live, with what was asked between them', async () => {
    const asked: JsonValue[] = []
    const answer: ProgramRequest['answer'] = async (operation, id, signal) => {
      if (operation.kind === 'call') asked.push(operation.args)
      return echo(operation, id, signal)
    }
    const again: JournalEvent[] = []
    const end = await replay(
      code,
      { events: await heard(), afterLast: 'live' },
      { answer, record: (event) => again.push(event) },
    )
    expect(end).toMatchObject({ kind: 'value', value: ['second', 'third'] })
    expect(asked).toEqual(['third'])
    expect(await replay(code, { events: again, afterLast: 'stop' })).toMatchObject({ value: ['second', 'third'] })
  })

  test('ends as it ended from outside', async () => {
    const ended: JournalEvent = { kind: 'ended', code: 'timeout', message: 'too long' }
    const end = await replay(code, { events: [...(await heard()), ended], afterLast: 'stop' })
    expect(end).toMatchObject({ code: 'timeout', message: 'too long' })
  })

  test('is diverged from by what is asked before', async () => {
    const end = await replay(
      `tools.x('other')\n${code}`,
      { events: await heard(), afterLast: 'live' },
      { answer: echo },
    )
    expect(end).toMatchObject({ code: 'replay-diverged' })
    const more = await replay(`tools.x(1)\n${code}`, { events: await heard(), afterLast: 'stop' })
    expect(more).toMatchObject({ code: 'replay-diverged' })
  })
})

function asked(events: readonly JournalEvent[]): readonly JournalEvent[] {
  return events.filter((event) => event.kind === 'asked')
}

/** Pieces of programs: each is a statement over `out`; `$n` is a fresh name. */
const call = fc
  .record({ ms: fc.integer({ min: 0, max: 4 }), fails: fc.boolean() })
  .map(({ ms, fails }) => `tools.x({ ms: ${ms}, fails: ${fails} })`)
const leaf = fc.oneof(
  { weight: 4, arbitrary: call },
  { weight: 1, arbitrary: fc.constant("tools.search('q')") },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 0, max: 4 })
      .map((ms) => `new Promise((r) => setTimeout(() => r('t' + Date.now()), ${ms}))`),
  },
)
const caught = leaf.map((text) => `${text}.catch((e) => e.code)`)
const statement = fc.oneof(
  caught.map((text) => `out.push(await ${text})`),
  fc.array(caught, { minLength: 2, maxLength: 4 }).map((all) => `out.push(await Promise.all([${all.join(', ')}]))`),
  fc.array(caught, { minLength: 2, maxLength: 4 }).map((all) => `out.push(await Promise.race([${all.join(', ')}]))`),
  fc
    .array(leaf, { minLength: 2, maxLength: 3 })
    .map((all) => `out.push((await Promise.allSettled([${all.join(', ')}])).map((s) => s.status))`),
  fc
    .tuple(fc.integer({ min: 1, max: 3 }), caught)
    .map(([n, text]) => `for (let i = 0; i < ${n}; i++) out.push(i, await ${text})`),
  fc.tuple(caught, caught).map(([a, b]) => `if (Math.random() < 0.5) out.push(await ${a}); else out.push(await ${b})`),
  caught.map((text) => `${text}.then((v) => { out.push(v); console.log('late', v, Date.now()) })`),
  fc
    .integer({ min: 1, max: 3 })
    .map(
      (ms) =>
        `{ const t = setInterval(() => { out.push('tick'); if (out.length > 5) clearInterval(t) }, ${ms}); setTimeout(() => clearInterval(t), 6) }`,
    ),
  fc.constant('console.log(out.length, Date.now(), Math.random())'),
  call.map((text) => `await ${text}`),
)
const program = fc
  .array(statement, { minLength: 1, maxLength: 4 })
  .map((lines) => `const out = []\n${lines.join('\n')}\nreturn out`)

describe('random programs with random concurrency and delays', () => {
  test('replay identically, a thousand of them', async () => {
    const programs = fc.sample(program, { numRuns: 1000, seed: 20_261_129 })
    const answer: ProgramRequest['answer'] = async (operation) => {
      const args = operation.kind === 'call' && isJsonObject(operation.args) ? operation.args : {}
      // The live order is real: what the replay must reproduce is decided here and now.
      const waitMs = Number(args['ms'] ?? 0) * Math.random()
      if (waitMs > 1) await new Promise((resolve) => setTimeout(resolve, waitMs))
      if (args['fails'] === true && Math.random() < 0.5)
        return { kind: 'error', code: 'failed', message: 'no', effect: 'none' }
      return operation.kind === 'search' ? value({ hits: [{ id: 'h' }] }) : value(Math.random())
    }
    const different: unknown[] = []
    const next = programs[Symbol.iterator]()
    const work = async (): Promise<void> => {
      for (const code of next) {
        const live = await record(code, { answer })
        const again: JournalEvent[] = []
        const replayed = await replay(
          code,
          { events: live.events, afterLast: 'stop' },
          { record: (event) => again.push(event) },
        )
        const same = isDeepStrictEqual([essence(live.end), asked(live.events)], [essence(replayed), asked(again)])
        if (!same) different.push({ code, live: essence(live.end), replayed: essence(replayed) })
      }
    }
    await Promise.all(Array.from({ length: 6 }, work))
    expect(different.slice(0, 3)).toEqual([])
  }, 120_000)
})

function value(json: JsonValue): Answer {
  return { kind: 'value', value: json }
}
