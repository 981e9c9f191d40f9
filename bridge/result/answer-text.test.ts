import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../catalog/json.ts'
import { answerText } from './answer-text.ts'

const aHit = (n: number): JsonValue => ({ id: `plugin:x:t${n}`, description: 'é'.repeat(100) })
const aDescription = (n: number): JsonValue => ({
  id: `plugin:x:t${n}`,
  signature: '() => void',
  inputSchema: { x: 'y'.repeat(400) },
})
const parsed = (value: JsonValue, maxBytes: number): unknown => {
  const text = answerText(value, maxBytes)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes)
  return JSON.parse(text)
}

describe('the text of an answer', () => {
  test('is the answer where it fits', () => {
    expect(parsed({ hits: [aHit(1)] }, 1_000)).toEqual({ hits: [aHit(1)] })
  })

  test('leaves hits and results out from the end, and says how many', () => {
    expect(parsed({ hits: [aHit(1), aHit(2), aHit(3)], notes: [] }, 600)).toEqual({
      hits: [aHit(1), aHit(2)],
      notes: [],
      omitted: 1,
    })
    expect(parsed({ results: [aHit(1), aHit(2)] }, 300)).toMatchObject({ omitted: 1 })
    expect(parsed({ hits: [aHit(1)] }, 150)).toMatchObject({ hits: [], omitted: 1 })
  })

  test('of several descriptions leaves the last out', () => {
    expect(parsed([aDescription(1), aDescription(2)], 700)).toEqual({ descriptions: [aDescription(1)], omitted: 1 })
  })

  test('of one description leaves the schemas out, and in the end cuts it', () => {
    expect(parsed(aDescription(1), 300)).toMatchObject({
      id: 'plugin:x:t1',
      notes: [expect.stringContaining('schemas')],
    })
    expect(parsed({ id: 'a', description: 'y'.repeat(900) }, 300)).toMatchObject({
      cut: expect.stringContaining('bytes'),
    })
  })
})
