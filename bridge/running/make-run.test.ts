import { describe, expect, test } from 'vitest'
import { makeRun } from './make-run.ts'
import type { SettledEnd } from './make-run.ts'
import type { JsonValue } from '../../catalog/json.ts'
import type { AbsentMembers } from '../isolate/program-host.ts'
import type { Notice } from '../outcome.ts'
import type { PreparedProgram } from '../program/prepared-program.ts'
import { prepareProgram } from '../program/prepare-program.ts'
import type { LogEntry, RunCall } from '../run.ts'

const program = prepareProgram('return 1', { sourceBytes: 1_000 })
const anEnd = (awaitedAfterReturn: number): SettledEnd => ({
  kind: 'value', value: 'done', logs: [], logBytesDropped: 0, cpuMs: 0, wallMs: 0, heapPeakBytes: 0, bytesIn: 0, bytesOut: 0,
  worker: 'kept', awaitedAfterReturn,
}) // prettier-ignore
const aCall = (outcome: RunCall['outcome']): RunCall => ({ id: 'c', tool: 't', outcome, effect: 'unknown', ms: 1 })

describe('calls that a program did not await', () => {
  test('are told with how many failed, since nothing else says it to the program', async () => {
    const [notice] = await noticesOf(2, [aCall('ok'), aCall('failed')])
    expect(notice?.code).toBe('calls-awaited')
    expect(notice?.message).toMatch(/^2 call\(s\) were still under way .*; of all calls 1 did not end ok$/)
  })

  test('are told without more where all ended ok, and not at all where each was awaited', async () => {
    expect((await noticesOf(1, [aCall('ok')]))[0]?.message).not.toContain('did not end ok')
    expect(await noticesOf(0, [aCall('failed')])).toEqual([])
  })
})

describe('a value', () => {
  test.each([
    [
      'return hits.map((h) => h.inputSchema) // search(',
      { places: '$[0], $[1]', count: 2 },
      '$[0], $[1]; a hit has id',
    ],
    ['return tools.a.b({})', { places: '$.x, $.y, $.z', count: 9 }, '$.x, $.y, $.z and more (9 in all); a call gives'],
    [
      "const hit = await tools.search('x')\nreturn { n: hit.name }",
      { places: '$.n', count: 1 },
      '$.n; "hit" is the list',
    ],
    ['return [1].map((n) => { n * 2 })', { places: '$[0]', count: 1 }, '$[0]; a function in braces'],
    [
      "const { id } = await tools.search('x')\nreturn { id }",
      { places: '$.id', count: 1 },
      '$.id; a search gives the list of hits, also with limit 1: const [{ id }]',
    ],
    ['return (await tools.callAll([x])).map((o) => o.y)', { places: '$[0]', count: 1 }, '$[0]; an outcome of callAll'],
  ])('that has undefined in it is told of, with where and why: %s', async (code, absent, said) => {
    const [notice] = await noticesOfValue([null], { code, absent })
    expect(notice).toMatchObject({ code: 'undefined-in-value', message: expect.stringContaining(`as null: ${said}`) })
  })

  test('that is undefined is told of, but where the log says something or it was told before', async () => {
    const absent = { count: 1, places: '$' }
    const code = 'return list.forEach(show)'
    expect((await noticesOfValue(null, { code, absent }))[0]?.message).toContain('forEach gives nothing')
    expect(await noticesOfValue(null, { code, absent, logs: [{ level: 'log', text: 'x' }] })).toEqual([])
    const told = (await noticesOfValue(null, { code: 'const a = 1; for (;a;) break', absent })).map((one) => one.code)
    expect(told).toEqual(['nothing-returned'])
  })

  test.each([
    ['const r = await tools.a.b({})\nreturn r.total', "a call gives the tool's value itself"],
    ['async function main() { await tools.a.b({}) }\nawait main()', 'give it by `return …`'],
  ])('that is undefined is told apart from nothing returned: %j', async (code, words) => {
    const [notice] = await noticesOfValue(null, { code, absent: { count: 1, places: '$' } })
    expect(notice?.message).toContain(words)
  })

  test('that is undefined because a call was not awaited is told so', async () => {
    const end = { ...anEnd(1), value: { sum: null }, absent: { count: 1, places: '$.sum' } }
    const code = 'let sum\ntools.a.b({}).then((r) => { sum = r.sum })\nreturn { sum }'
    const [notice] = await noticesIn(prepareProgram(code, { sourceBytes: 1_000 }), end, [aCall('ok')])
    expect(notice?.message).toContain('$.sum; it was read before a call had ended')
  })

  test('that has an iterator in it, which was not run, is told of', async () => {
    expect((await noticesOfValue([{ $iterator: 'Generator' }], { code: 'return x' }))[0]?.code).toBe('iterator-not-run')
    expect(await noticesOfValue([{ $$iterator: 'x' }], { code: 'return x' })).toEqual([])
  })

  test('that has an object written into text is told of', async () => {
    const [notice] = await noticesOfValue(['sum: [object Object]'], { code: 'return x' })
    expect(notice?.code).toBe('object-as-text')
  })
})

function noticesOfValue(
  value: JsonValue,
  { code, logs = [], absent }: { code: string; logs?: readonly LogEntry[]; absent?: AbsentMembers },
): Promise<readonly Notice[]> {
  const end = { ...anEnd(0), kind: 'value', value, logs, ...(absent && { absent }) } as const
  return noticesIn(prepareProgram(code, { sourceBytes: 1_000 }), end, [])
}

function noticesOf(awaited: number, calls: readonly RunCall[]): Promise<readonly Notice[]> {
  return noticesIn(program, anEnd(awaited), calls)
}

async function noticesIn(
  program: PreparedProgram,
  end: SettledEnd,
  calls: readonly RunCall[],
): Promise<readonly Notice[]> {
  const run = await makeRun(
    {
      id: 'run_1', program, caller: { tenant: 't', agent: 'a' }, end, calls, notices: [], artifacts: [], events: undefined,
      asked: { catalogSize: 0, sources: {}, searches: 0, describes: 0 },
    }, // prettier-ignore
    {
      diagnose: () => ({ code: 'program-error', message: 'x' }),
      artifacts: { put: () => Promise.reject(new Error('none')), read: () => Promise.resolve(undefined) },
      redact: (text) => text,
      warn: () => {},
    },
  )
  return run.notices
}
