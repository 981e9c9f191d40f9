import { expect, test } from 'vitest'
import { createTool } from '../../tool.ts'
import { ToolStore } from '../index/tool-store.ts'
import { createTextReader } from '../text/text-reader.ts'
import { WEIGHTS } from '../weights.ts'
import { liftByPastUse } from './lift-by-past-use.ts'

const store = new ToolStore(createTextReader(), WEIGHTS)
const OWNED = [
  ['mcp', 'fruit', 'by_genus'],
  ['mcp', 'fruit', 'by_family'],
  ['mcp', 'cats', 'random'],
  ['plugin', 'fruit', 'by_colour'],
] as const
for (const [source, owner, name] of OWNED) {
  store.put(createTool(source, owner, { name, description: '', inputSchema: { type: 'object' } }))
}
const [genus, family, cats, pluginFruit] = OWNED.map((owned) => store.documentOf(owned.join(':')) ?? -1)

const ranked = (evidence: number) =>
  [genus, family, cats, pluginFruit].map((document = -1, place) => ({
    document,
    score: 10 - place,
    evidence,
    holds: [],
  }))
const lift = (past: { gain: number; likest: number }, evidence = 0.5) =>
  liftByPastUse(ranked(evidence), new Map([[genus ?? -1, past]]), { store, weights: WEIGHTS })

test('a tool that was called is lifted, others of its owner by a share, and no one else', () => {
  const lifts = lift({ gain: 0.5, likest: 0.5 })
  const own = lifts.get(genus ?? -1)
  const neighbour = lifts.get(family ?? -1)
  expect(own?.isTaught).toBe(true)
  expect(neighbour?.isTaught).toBe(false)
  expect(neighbour?.learned).toBeGreaterThan(0)
  expect(neighbour?.learned).toBeLessThan(own?.learned ?? 0)
  expect([lifts.has(cats ?? -1), lifts.has(pluginFruit ?? -1)]).toEqual([false, false])
})

test('where a tool holds all that is asked a merely like query counts little, the same query in full', () => {
  const like = { gain: 0.3, likest: 0.3 }
  const same = { gain: 1, likest: 1 }
  const own = (past: { gain: number; likest: number }, evidence: number): number =>
    lift(past, evidence).get(genus ?? -1)?.learned ?? 0
  expect(own(like, 1)).toBeLessThan(own(like, 0.2) / 5)
  expect(own(same, 1)).toBe(own(same, 0.2))
})

test('where no text matches, past use alone decides', () => {
  const taught = new Map([[cats ?? -1, { gain: 0.4, likest: 0.4 }]])
  const nothing = [{ document: cats ?? -1, score: 0, evidence: 0, holds: [] }]
  expect(liftByPastUse(nothing, taught, { store, weights: WEIGHTS }).get(cats ?? -1)?.learned).toBeGreaterThan(0)
})

test('without a past nothing is lifted', () => {
  expect(liftByPastUse(ranked(1), new Map(), { store, weights: WEIGHTS }).size).toBe(0)
})
