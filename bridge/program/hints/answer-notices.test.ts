import { expect, test } from 'vitest'
import { startCpuClock } from '../../../catalog/testing/start-cpu-clock.ts'
import type { JsonValue } from '../../../catalog/json.ts'
import type { JournalEvent } from '../../isolate/program-host.ts'
import { answerNotices } from './answer-notices.ts'

const CALL = "const r = await tools.call('plugin:math:add', { a: 2, b: 3 })\n"
const SEARCH = "const hits = await tools.search('add')\n"

/** Asked and answered one after the other. */
function aCourse(...steps: readonly (readonly [kind: string, answer: JsonValue, args?: JsonValue])[]): JournalEvent[] {
  return steps.flatMap(([kind, answer, args = {}], id): readonly JournalEvent[] => [
    { kind: 'asked', id, asked: JSON.stringify({ kind, args }) },
    { kind: 'answered', id, nowMs: 0, answer: { kind: 'value', json: JSON.stringify(answer) } },
  ])
}

const codesOf = (code: string, events: JournalEvent[], value?: JsonValue): readonly string[] =>
  answerNotices({ code, events, ...(value !== undefined && { value }) }).map((notice) => notice.code)

test.each([
  "if (!r.success) return 'failed'",
  "if (!r.ok) throw new Error('failed')",
  "return r.status === 200 ? 'up' : 'down'",
  'if (r.count > 0) return r.count',
  "return r?.content?.[0]?.text ?? 'no result'",
  'for (const item of r.items || []) list.push(item)',
  'return { count: r.data?.items?.length ?? 0 }',
  'return r.results?.map((one) => one.id) ?? []',
  "if (r.length === 0) return 'none'",
  'return Array.isArray(r.items) ? r.items.map((one) => one.id) : []',
])('a result is told to have no such field: %s', (line) => {
  const [notice] = answerNotices({ code: CALL + line, events: aCourse(['call', { sum: 5, unit: 'm' }]) })
  expect(notice).toMatchObject({
    code: 'undefined-read',
    message: expect.stringMatching(/^"r\.\w+" .* which has sum, unit$/),
  })
})

test.each([
  'if (r.error) throw new Error(r.error)',
  "if (r.isError === true) return 'failed'",
  "if (r.kind === 'error') return 'failed'",
  'const cursor = r.nextCursor ?? null',
  'if (!r.next) break',
  'if (r.total !== undefined) return r.total',
  'return r.sum ?? r.result ?? r.value',
  'const list = Array.isArray(r) ? r : r.items ?? [r]',
  "return r.note ?? 'none'",
  'r.ok = true\nreturn !r.ok',
  "const own = { status: 'x' }\nreturn r.status === 'x'",
  "const status = 'x'\nreturn { status }.status === r.status",
  'return Array.isArray(r.items) ? r.items : [r]',
  'return r.map((one) => one.id) || []',
])('a program that is right without the field is told nothing: %s', (line) => {
  expect(codesOf(CALL + line, aCourse(['call', { sum: 5 }]))).toEqual([])
})

test.each([
  "const { data } = await tools.a.b({})\nif (!data) return 'nothing'",
  'const { result: rows } = await tools.a.b({})\nreturn rows?.length ?? 0',
  'const { items = [] } = await hit.call({})\nreturn items',
])('a part of a result is told to be none: %s', (code) => {
  const [notice] = answerNotices({ code, events: aCourse(['call', { sum: 5 }]) })
  expect(notice?.message).toMatch(/^"\{ \w+ \}" was read of a result .* which has sum$/)
})

test.each([
  "const { sum, error } = await tools.a.b({})\nif (error) return 'failed'\nreturn sum ?? 0",
  'const { sum: value = 0 } = await tools.a.b({})\nreturn value',
  'const { data = null } = await tools.a.b({})\nreturn data',
  'const { data } = await tools.a.b({})\nreturn data',
])('a part of a result that is right without is left alone: %s', (code) => {
  expect(codesOf(code, aCourse(['call', { sum: 5 }]))).toEqual([])
})

test('a field that any answer has is one that may be looked for, also in JSON inside of a text', () => {
  const code = `${CALL}if (!r.success) return 'failed'`
  expect(codesOf(code, aCourse(['call', { sum: 1 }], ['call', { success: false }]))).toEqual([])
  expect(codesOf(code, aCourse(['call', '{"success":true}']))).toEqual([])
  expect(codesOf(code, [])).toEqual([])
})

test.each([
  "return hits.filter((h) => h.category === 'math')",
  'for (const h of hits) if (h.category !== 3) return h',
  'return hits.items?.map((h) => h.id) ?? []',
])('a hit is told to have no such field: %s', (line) => {
  const events = aCourse(['search', { hits: [{ id: 'a', name: 'b' }] }])
  expect(codesOf(SEARCH + line, events)).toEqual(['undefined-read'])
  expect(codesOf(`${SEARCH}return hits.filter((h) => h.name === 'b')`, events)).toEqual([])
})

test('what is undefined and was written into text is told of, in the value and in what was sent', () => {
  const code = `${CALL}return (await tools.echo.say({ text: \`total \${r.total}\` })).said`
  const events = aCourse(['call', { sum: 1 }], ['call', { said: 'total undefined' }, { text: 'total undefined' }])
  const notices = answerNotices({ code, events, value: 'total undefined' })
  expect(notices.map((notice) => [notice.code, notice.message.slice(0, 12)])).toEqual([
    ['undefined-as-text', 'an argument '],
    ['undefined-as-text', 'the value ha'],
  ])
})

test('a number that is none is told of', () => {
  expect(codesOf(CALL, aCourse(['call', { sum: 1 }]), { total: { $number: 'NaN' } })).toEqual(['not-a-number'])
  expect(codesOf(CALL, aCourse(['call', 'NaN']), 'NaN')).toEqual([])
})

test.each([
  ['an answer has the word', { code: CALL, answer: 'x is undefined', value: 'x is undefined' }],
  ['the program writes it', { code: `${CALL}return 'it is undefined'`, answer: 1, value: 'it is undefined' }],
  ['it writes the word alone', { code: "return 'x: ' + String(v ?? 'undefined')", answer: 1, value: 'x: undefined' }],
  ['it is the name of a type', { code: `${CALL}return typeof r.x`, answer: 1, value: 'undefined' }],
  [
    'the engine says it of an error',
    { code: CALL, answer: 1, value: "Cannot read properties of undefined (reading 'x')" },
  ],
  ['it is a part of a name', { code: CALL, answer: 1, value: { undefinedCount: 0, url: '/undefined-behaviour' } }],
] as const)('no text is taken for undefined where %s', (_why, { code, answer, value }) => {
  expect(codesOf(code, aCourse(['call', answer]), value)).toEqual([])
})

test('an outcome that is compared with a status which it never has is told of', () => {
  const code = "const rs = await tools.callAll(list)\nreturn rs.filter((one) => one.status === 'ok')"
  expect(codesOf(code, aCourse(['call', { sum: 1 }]), [])).toEqual(['outcome-status'])
  expect(codesOf(code, aCourse(['call', { status: 'ok' }]), [])).toEqual([])
  expect(codesOf(code.replace("'ok'", "'fulfilled'"), aCourse(['call', { sum: 1 }]), [])).toEqual([])
})

test('a result that is taken for a list and is none is told of', () => {
  const code = `${CALL}const rows = Array.isArray(r) ? r : []\nreturn rows.length`
  expect(codesOf(code, aCourse(['call', { sum: 1 }]), 0)).toEqual(['undefined-read'])
  expect(codesOf(code, aCourse(['call', [{ sum: 1 }]]), 1)).toEqual([])
  expect(codesOf(code.replace('[]', '[r]'), aCourse(['call', { sum: 1 }]), 1)).toEqual([])
})

test('an error that is compared with a code which none has is told of', () => {
  const failed = { kind: 'error', json: '{"code":"unknown-tool","message":"no"}' } as const
  const events: JournalEvent[] = [
    { kind: 'asked', id: 0, asked: '{"kind":"call"}' },
    { kind: 'answered', id: 0, nowMs: 0, answer: failed },
  ]
  const code = "try { await f() } catch (e) { return e.code === 'NOT_FOUND' ? 'none' : 'other' }"
  const [notice] = answerNotices({ code, events, value: 'other' })
  expect(notice).toMatchObject({ code: 'error-code', message: expect.stringContaining('had the code "unknown-tool"') })
  expect(codesOf(code, aCourse(['call', 1]), 'other')).toEqual([])
  expect(codesOf(code.replace('NOT_FOUND', 'denied'), events, 'other')).toEqual([])
  expect(codesOf(`const own = { code: 'NOT_FOUND' }\n${code}`, events, 'other')).toEqual([])
})

test('a long program of many reads costs little', () => {
  const code = CALL + "if (!r.success) return r.status === 'x' ? r.data ?? 1 : 2\n".repeat(20_000)
  const spentMs = startCpuClock()
  codesOf(code, aCourse(['call', 'x'.repeat(1_000_000)]), 'undefined '.repeat(100_000))
  codesOf(code.slice(0, 32_000), aCourse(['call', 'x'.repeat(1_000_000)]), 'undefined '.repeat(100_000))
  expect(spentMs()).toBeLessThan(2_000)
})
