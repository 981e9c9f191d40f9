import { expect, test } from 'vitest'
import { createTool } from '../../tool.ts'
import { WEIGHTS } from '../weights.ts'
import { NAME_FIT } from './name-fit.ts'
import type { Found } from './search-place.ts'
import { varyPage } from './vary-page.ts'

const WORDS = ['weather', 'mail'].map((term) => ({ term, importance: 5, evidence: 5, terms: [{ term, weight: 5 }] }))

function aFind(name: string, score: number, more: Partial<Found> = {}): Found {
  const tool = createTool('mcp', 'some', { name, description: '', inputSchema: { type: 'object' } })
  return { tool, score, evidence: 1, nameFit: NAME_FIT.none, holds: [0], learned: 0, isTaught: false, ...more }
}

const namesOf = (found: readonly Found[]): string[] => found.map(({ tool }) => tool.name)

test('a hit for what is not yet covered passes slightly better ones for what is', () => {
  const found = [aFind('weather', 10), aFind('forecast', 9), aFind('rain', 8.8), aFind('mail', 8.6, { holds: [1] })]
  expect(namesOf(varyPage(found, WORDS, WEIGHTS))).toEqual(['weather', 'mail', 'forecast', 'rain'])
})

test('a hit that is much worse does not pass', () => {
  const found = [aFind('weather', 10), aFind('forecast', 9), aFind('mail', 5, { holds: [1] })]
  expect(namesOf(varyPage(found, WORDS, WEIGHTS))).toEqual(['weather', 'forecast', 'mail'])
})

test('the best stays first with its score, and no hit is lost or doubled', () => {
  const found = Array.from({ length: 50 }, (_, place) => aFind(`t${place}`, 100 - place, { holds: [place % 2] }))
  const varied = varyPage(found, WORDS, WEIGHTS)
  expect(varied[0]).toEqual(found[0])
  expect(namesOf(varied).toSorted()).toEqual(namesOf(found).toSorted())
})

test('what the query names is never moved, and what past use adds is not discounted', () => {
  const named = [aFind('named', 1, { nameFit: NAME_FIT.exact }), aFind('other', 9, { holds: [1] })]
  expect(namesOf(varyPage(named, WORDS, WEIGHTS))).toEqual(['named', 'other'])
  const taught = aFind('taught', 10, { learned: 10 })
  expect(varyPage([aFind('weather', 11), taught], WORDS, WEIGHTS)[1]?.score).toBe(10)
})

test('without words of the query the order stays', () => {
  const found = [aFind('a', 3, { holds: [] }), aFind('b', 3, { holds: [] }), aFind('c', 1, { holds: [] })]
  expect(namesOf(varyPage(found, [], WEIGHTS))).toEqual(['a', 'b', 'c'])
})
