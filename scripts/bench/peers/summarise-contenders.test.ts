import { expect, test } from 'vitest'
import type { Contender } from './contender.ts'
import type { Measured } from './measure-contenders.ts'
import { summariseContenders } from './summarise-contenders.ts'

function aMeasure(engine: string, tool: Contender['tool'], timesMs: readonly number[]): Measured {
  const contender = { engine, version: '1', tool, programs: {}, execute: () => Promise.reject(new Error('not run')) }
  return { kind: 'times', contender, timesMs }
}

test("each peer's median stands beside ours, with what stood behind both", () => {
  const figures = summariseContenders('one-call', [
    aMeasure('drawbridge', 'mcp-http', [1, 2, 3]),
    aMeasure('executor', 'mcp-http', [20, 20, 20]),
    aMeasure('executor', 'openapi', [10, 11, 12]),
  ])
  const under = { area: 'peers', program: 'one-call', inFlight: 1 }
  const time = { ...under, name: 'p50', unit: 'ms', version: '1', runs: 3 }
  const ratio = { ...under, name: 'p50-ratio', unit: 'ratio', engine: 'drawbridge', against: 'executor' }
  expect(figures).toEqual([
    { ...time, engine: 'drawbridge', tool: 'mcp-http', value: 2 },
    { ...time, engine: 'executor', tool: 'mcp-http', value: 20 },
    { ...time, engine: 'executor', tool: 'openapi', value: 11 },
    { ...ratio, tool: 'mcp-http', againstTool: 'mcp-http', value: 10 },
    { ...ratio, tool: 'mcp-http', againstTool: 'openapi', value: 5.5 },
  ])
})

test('a program that calls no tool names none', () => {
  const figures = summariseContenders('return-1', [
    aMeasure('drawbridge', 'mcp-http', [1]),
    aMeasure('executor', 'mcp-http', [2]),
  ])
  expect(figures).toHaveLength(3)
  for (const figure of figures) expect(Object.keys(figure)).not.toContain('tool')
})

test('a p99 is given only where it is more than the slowest run', () => {
  const many = Array.from({ length: 100 }, (_, at) => at + 1)
  const names = (timesMs: readonly number[]): readonly string[] =>
    summariseContenders('search', [aMeasure('drawbridge', 'mcp-http', timesMs)]).map(({ name }) => name)
  expect(names(many)).toEqual(['p50', 'p99'])
  expect(names(many.slice(1))).toEqual(['p50'])
})

test('what failed has no figure and no ratio', () => {
  const failed = aMeasure('executor', 'mcp-http', [])
  const figures = summariseContenders('search', [
    aMeasure('drawbridge', 'mcp-http', [4]),
    { kind: 'failed', contender: failed.contender, error: new Error('gone') },
  ])
  expect(figures).toMatchObject([{ name: 'p50', engine: 'drawbridge', value: 4 }])
})
