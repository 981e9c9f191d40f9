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
    expect(parsed({ hits: [aHit(1)] }, 150)).toMatchObject({ hits: [], omitted: 1 })
  })

  test('leaves the cursor out with the hits that it would skip, and says how to page', () => {
    const answer = { hits: [aHit(1), aHit(2), aHit(3)], notes: ['n'], cursor: '3.abc' }
    const cut = parsed(answer, 650)
    expect(cut).toEqual({ hits: [aHit(1), aHit(2)], notes: ['n', expect.stringContaining('limit 2')], omitted: 1 })
  })

  test('of several queries keeps the best of each, then less of each, and leaves whole ones out last', () => {
    const hit = (n: number): JsonValue => ({ id: `plugin:x:t${n}`, signature: 's'.repeat(200) })
    const results = [1, 2].map((n) => ({ query: `q${n}`, hits: [hit(n), hit(n + 10), hit(n + 20)] }))
    expect(parsed({ results }, 1_200)).toEqual({
      results: results.map(({ query, hits }) => ({ query, hits: hits.slice(0, 2), omitted: 1 })),
    })
    expect(parsed({ results }, 400)).toEqual({
      results: [1, 2].map((n) => ({ query: `q${n}`, hits: [{ id: `plugin:x:t${n}` }], omitted: 2 })),
    })
    expect(parsed({ results }, 110)).toEqual({
      results: [{ query: 'q1', hits: [{ id: 'plugin:x:t1' }], omitted: 2 }],
      omitted: 1,
    })
  })

  test('of several descriptions leaves out the schemas of all before the last of them', () => {
    const descriptions = [aDescription(1), aDescription(2)]
    const bare = (n: number) => ({ id: `plugin:x:t${n}`, signature: '() => void', notes: [expect.any(String)] })
    expect(parsed(descriptions, 700)).toEqual([bare(1), bare(2)])
    expect(parsed(descriptions, 200)).toEqual({ descriptions: [bare(1)], omitted: 1 })
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
