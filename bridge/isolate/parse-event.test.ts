import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JSON_MAX_DEPTH } from './limits.ts'
import { isWithinDepth, parseEvent } from './parse-event.ts'
import { ProtocolError } from './protocol.ts'

describe('events', () => {
  const step = (...messages: readonly unknown[]): string =>
    JSON.stringify({ t: 'step', run: 1, messages, cpuUs: 5, heapBytes: 6 })

  test('are read into what they say', () => {
    const op = { kind: 'call', selector: { kind: 'text', text: 'x' }, args: {}, options: {} }
    expect(parseEvent(step({ k: 'op', id: 1, op }, { k: 'timer', id: 2, ms: 3 }))).toEqual({
      t: 'step',
      run: 1,
      cpuUs: 5,
      heapBytes: 6,
      messages: [
        { kind: 'operation', id: 1, operation: op },
        { kind: 'timer', id: 2, ms: 3 },
      ],
    })
  })

  test.each([
    'no json',
    '[]',
    '{"t":"other","run":1,"messages":[]}',
    '{"t":"step","run":1,"messages":[],"cpuUs":-1,"heapBytes":0}',
    '{"t":"step","run":1.5,"messages":[],"cpuUs":1,"heapBytes":0}',
    '{"t":"step","run":1,"messages":[],"cpuUs":1,"heapBytes":0,"cause":"bored"}',
    step({ k: 'op', id: 1, op: { kind: 'execute' } }),
    step({
      k: 'op',
      id: 1,
      op: { kind: 'call', selector: { kind: 'path', owner: 1, name: 'x' }, args: {}, options: {} },
    }),
    step({ k: 'log', level: 'fatal', text: 'x' }),
    step({ k: 'limit', limit: 'x'.repeat(1_000_000), droppedLog: 0 }),
    step({ k: 'timer', id: 1, ms: 2 ** 31 }),
    step({ k: 'end', ok: true, droppedLog: 0 }),
    step({ k: 'end', ok: true, value: 1, absent: -1, absentAt: '$', droppedLog: 0 }),
    step({ k: 'end', ok: true, value: 1, absent: 1, absentAt: {}, droppedLog: 0 }),
    step({ k: 'end', ok: false, name: {}, message: 'x', droppedLog: 0 }),
    step(null),
    `${'['.repeat(JSON_MAX_DEPTH + 1)}${']'.repeat(JSON_MAX_DEPTH + 1)}`,
  ])('that are not exactly of the schema are refused: %s', (text) => {
    expect(() => parseEvent(text)).toThrow(ProtocolError)
  })

  test('of any bytes are events or a breach of protocol, never another error', () => {
    const part = fc.oneof(fc.json(), fc.constantFrom(step({ k: 'op', id: 1 }), '{"t":"ready","spares":1}', '{', '"'))
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
        try {
          parseEvent(parts.join(''))
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError)
        }
      }),
    )
  })

  test('count nesting outside of strings only', () => {
    expect(isWithinDepth(JSON.stringify(['[[[["', '\\']), 1)).toBe(true)
    expect(isWithinDepth('[[]]', 1)).toBe(false)
  })
})
