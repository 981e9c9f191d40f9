import { array, assert, constantFrom, integer, json, property, record, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import type { Outcome, SettledCall } from '../outcome.ts'
import type { LogEntry, Run, RunCall } from '../run.ts'
import { callText, runText } from './model-text.ts'

const common: Omit<Extract<Run, { status: 'completed' }>, 'status' | 'value'> = {
  id: 'run_1',
  notices: [],
  logs: [],
  calls: [],
  artifacts: [],
  telemetry: {
    catalogSize: 0, sources: {}, searches: 0, describes: 0, calls: 0, cpuMs: 0, wallMs: 0, heapPeakBytes: 0, bytesIn: 0, bytesOut: 0,
    worker: 'kept',
  }, // prettier-ignore
}
const completed = (value: JsonValue, more: Partial<typeof common> = {}): Run => ({
  ...common,
  ...more,
  status: 'completed',
  value,
})
const failed = (more: Partial<typeof common> = {}): Run => ({
  ...common,
  ...more,
  status: 'failed',
  error: { code: 'program-error', message: 'boom', line: 1, column: 2, hint: 'do this' },
})
const aCall = (more: Partial<RunCall> = {}): RunCall => ({
  id: 'c',
  tool: 'plugin:math:add',
  outcome: 'ok',
  effect: 'done',
  ms: 1,
  ...more,
})
const log = (text: string): LogEntry => ({ level: 'log', text })
const aSettled = (outcome: Outcome, more: Partial<SettledCall> = {}): SettledCall => ({
  callId: 'c', requested: 'add', outcome, notices: [], ms: 1, receiptId: 'r', ...more,
}) // prettier-ignore

const parsed = (text: string): JsonObject => JSON.parse(text)

describe('runText', () => {
  test('a plain run is its status and value, nothing else', () => {
    expect(runText(completed({ sum: 5 }), 1_000)).toBe('{"status":"completed","value":{"sum":5}}')
  })

  test('notices, log, calls and artifacts are there where there are any', () => {
    const run = completed(1, {
      notices: [{ code: 'x', message: 'said' }],
      logs: [log('a'), { level: 'warn', text: 'b' }],
      calls: [aCall(), aCall(), aCall({ tool: 'plugin:echo:say' })],
      artifacts: [{ id: 'art_1', bytes: 9, mimeType: 'text/plain', preview: 'long' }],
    })
    expect(parsed(runText(run, 2_000))).toEqual({
      status: 'completed',
      value: 1,
      notices: ['said'],
      logs: ['a', 'warn: b'],
      calls: [
        { tool: 'plugin:math:add', outcome: 'ok', effect: 'done', times: 2 },
        { tool: 'plugin:echo:say', outcome: 'ok', effect: 'done' },
      ],
      artifacts: [{ id: 'art_1', bytes: 9, mimeType: 'text/plain' }],
    })
  })

  test('a failed run lists the calls that were made and says that they stand', () => {
    expect(parsed(runText(failed({ calls: [aCall()] }), 2_000))).toEqual({
      status: 'failed',
      error: { code: 'program-error', message: 'boom', line: 1, column: 2, hint: 'do this' },
      calls: [{ tool: 'plugin:math:add', outcome: 'ok', effect: 'done' }],
      callsNote: expect.stringContaining('not undone'),
    })
  })

  test('calls without an effect need no word on what is not undone', () => {
    const refused = aCall({ outcome: 'unknown-tool', effect: 'none' })
    expect(parsed(runText(failed({ calls: [refused] }), 2_000))).not.toHaveProperty('callsNote')
  })

  test('a failed run without calls says that there were none', () => {
    expect(parsed(runText(failed(), 2_000))).toMatchObject({ calls: [] })
    expect(parsed(runText(failed(), 2_000))).not.toHaveProperty('callsNote')
  })

  test('a hint that the message already holds is not said twice', () => {
    const run: Run = {
      ...common,
      status: 'failed',
      error: { code: 'program-error', message: 'x\ndo this', hint: 'do this' },
    }
    expect(parsed(runText(run, 2_000)).error).toEqual({ code: 'program-error', message: 'x\ndo this' })
  })

  test('the oldest log lines go first, and how many went is said', () => {
    const logs = Array.from({ length: 100 }, (_, index) => log(`line ${index} ${'x'.repeat(20)}`))
    const text = runText(completed('kept', { logs }), 600)
    expect(parsed(text)).toMatchObject({ value: 'kept', logsDropped: expect.stringMatching(/^\d+ older/) })
    expect(text).toContain('line 99')
    expect(text).not.toContain('line 10 ')
  })

  test('a value that does not fit becomes a preview that says so', () => {
    const text = runText(
      completed({ list: Array.from({ length: 1_000 }, (_, index) => index) }, { logs: [log('l')] }),
      500,
    )
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(500)
    expect(parsed(text)).toMatchObject({
      value: { preview: expect.stringMatching(/^\{"list":\[0,1,2/), cut: expect.stringContaining('3900 bytes') },
    })
  })

  test('a preview is not cut inside an emoji', () => {
    for (let maxBytes = 250; maxBytes < 270; maxBytes++) {
      const { value } = parsed(runText(completed('😀'.repeat(500)), maxBytes))
      expect(value).toMatchObject({ preview: expect.stringMatching(/^(?:😀)+$/u) })
    }
  })

  test('the calls of a failed run outlive everything else', () => {
    const run = failed({
      calls: [aCall({ tool: 'plugin:pay:refund' })],
      logs: [log('x'.repeat(5_000))],
      notices: [{ code: 'n', message: 'y'.repeat(5_000) }],
    })
    expect(runText(run, 700)).toContain('plugin:pay:refund')
  })

  test('whatever the run and the limit, the text is JSON within the limit', () => {
    const runs = record({
      value: json({ maxDepth: 4 }),
      logs: array(string({ unit: 'binary', maxLength: 50 }), { maxLength: 20 }),
      calls: array(constantFrom('a:b:c', 'd:e:f', 'x'.repeat(256)), { maxLength: 64 }),
      isFailed: constantFrom(true, false),
    })
    assert(
      property(runs, integer({ min: 2, max: 3_000 }), ({ value, logs, calls, isFailed }, maxBytes) => {
        const more = { logs: logs.map(log), calls: calls.map((tool) => aCall({ tool })) }
        const text = runText(isFailed ? failed(more) : completed(JSON.parse(value), more), maxBytes)
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes)
        expect(text.isWellFormed()).toBe(true)
        expect(() => parsed(text)).not.toThrow()
      }),
      { numRuns: 500 },
    )
  })
})

describe('callText', () => {
  test('a value with its notices', () => {
    const settled = aSettled(
      { kind: 'ok', value: { sum: 5 }, result: { content: [] }, effect: 'done' },
      { notices: [{ code: 'x', message: 'said' }] },
    )
    expect(parsed(callText(settled, 1_000))).toEqual({ outcome: 'ok', value: { sum: 5 }, notices: ['said'] })
  })

  test('a refusal with all that helps to do better', () => {
    const problems = [{ path: '/a', expected: 'number', got: '"x"' }]
    const settled = aSettled({
      kind: 'invalid-input',
      message: 'wrong',
      problems,
      signature: '(a: number)',
      effect: 'none',
    })
    expect(parsed(callText(settled, 1_000))).toEqual({
      outcome: 'invalid-input',
      message: 'wrong',
      effect: 'none',
      problems,
      signature: '(a: number)',
    })
    const unknown = aSettled({ kind: 'unknown-tool', message: 'no', suggestions: ['a:b:c'], effect: 'none' })
    expect(parsed(callText(unknown, 1_000))).toMatchObject({ suggestions: ['a:b:c'] })
  })

  test('whatever the value and the limit, the text is JSON within the limit', () => {
    assert(
      property(json({ maxDepth: 4 }), integer({ min: 2, max: 1_000 }), (source, maxBytes) => {
        const text = callText(
          aSettled({ kind: 'ok', value: JSON.parse(source), result: { content: [] }, effect: 'done' }),
          maxBytes,
        )
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes)
        expect(() => parsed(text)).not.toThrow()
      }),
      { numRuns: 500 },
    )
  })
})
