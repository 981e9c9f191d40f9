import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { LEARNED_MAX_QUERIES } from '../../../catalog/search/limits.ts'
import { createSearchIndex } from '../../../catalog/search/create-search-index.ts'
import type { Accept, SearchIndex } from '../../../catalog/search/search-index.ts'
import type { Tool } from '../../../catalog/tool.ts'
import { createTool } from '../../../catalog/tool.ts'
import type { Figure } from '../figure.ts'
import type { Dataset } from './dataset.ts'
import type { EngineMaker } from './engine.ts'
import { unknownQueries } from './unknown-words.ts'

const SIZES = [1_000, 10_000, 50_000] as const
const SHORT_QUERY_CHARACTERS = 120
const LONG_QUERY_CHARACTERS = 1_200
/** Queries asked before time is taken, so that the code is compiled. */
const WARM_UP_QUERIES = 400
const CHANGED_TOOLS = 300
/** Queries whose time is taken, spread over all, and how often each is asked; the least counts, as on a quiet machine. */
const TIMED_QUERIES = 1_000
const ASKED_TIMES = 5

/** Time, memory and the price of a change at several sizes of catalog. */
export async function* drawbridgeCosts(data: Dataset): AsyncGenerator<Figure> {
  for (const size of SIZES) yield* costsAt(size, data)
}

/** By itself, so that the index of the size before is gone when memory is measured. */
async function* costsAt(size: number, data: Dataset): AsyncGenerator<Figure> {
  const tools = toolsOf(data, size)
  const under = { engine: 'drawbridge', tools: size }
  const before = usedBytes()
  const started = performance.now()
  const index = createSearchIndex()
  for (const tool of tools) index.put(tool)
  yield { area: 'search', name: 'build', value: performance.now() - started, unit: 'ms', ...under }
  yield { area: 'search', name: 'heap', value: (usedBytes() - before) / 2 ** 20, unit: 'MiB', ...under }
  yield* searchTimes(index, data, under)
  yield* learnedTimes(index, data, under)
  yield* changeTimes(index, tools, under)
}

/** Build and search times of a baseline at 10,000 tools. */
export async function* baselineCosts(maker: EngineMaker, data: Dataset): AsyncGenerator<Figure> {
  const tools = data.tools.map(({ tool }) => tool)
  const under = { engine: maker.name, tools: tools.length }
  const started = performance.now()
  const engine = await maker.build(tools)
  yield { area: 'search', name: 'build', value: performance.now() - started, unit: 'ms', ...under }
  const queries = spread(queriesUpTo(data, SHORT_QUERY_CHARACTERS))
  for (const query of queries.slice(0, WARM_UP_QUERIES)) await engine.search(query, 10)
  const times = await leastTimes(queries, (query) => engine.search(query, 10))
  yield* percentiles('search', times, { ...under, queryCharacters: SHORT_QUERY_CHARACTERS })
}

async function* searchTimes(index: SearchIndex, data: Dataset, under: Readonly<Record<string, string | number>>) {
  const accepts: readonly (readonly [string, Accept])[] = [
    ['scope', index.scope(() => true)],
    ['function', () => true],
  ]
  for (const [view, accept] of accepts) {
    const ask = (query: string) => index.search(query, { limit: 10, accept })
    for (const { query } of data.queries.slice(0, WARM_UP_QUERIES)) ask(query)
    for (const [queryCharacters, queries] of queriesByLength(data)) {
      yield* percentiles('search', await leastTimes(spread(queries), ask), { ...under, view, queryCharacters })
    }
    yield* percentiles('unknownWords', await leastTimes(unknownQueries(data), ask), { ...under, view })
  }
}

const TENANT = 'bench'
/** Words of another query that make one that was asked before a new one. */
const BORROWED_WORDS = 6

/** The same for a tenant whose memory is full, and the bytes of that. */
async function* learnedTimes(index: SearchIndex, data: Dataset, under: Readonly<Record<string, string | number>>) {
  const before = usedBytes()
  for (const [query, toolId] of pastCalls(data)) index.learn(TENANT, { query, toolId })
  yield { area: 'search', name: 'heapLearned', value: (usedBytes() - before) / 2 ** 20, unit: 'MiB', ...under }
  const accept = index.scope(() => true)
  const ask = (query: string) => index.search(query, { limit: 10, accept, tenant: TENANT })
  for (const { query } of data.queries.slice(0, WARM_UP_QUERIES)) ask(query)
  for (const [queryCharacters, queries] of queriesByLength(data)) {
    yield* percentiles('searchLearned', await leastTimes(spread(queries), ask), { ...under, queryCharacters })
  }
}

/** As many different queries as a tenant is remembered by: the data set's own, then the same with words of others. */
function* pastCalls({ queries }: Dataset): Generator<readonly [string, string]> {
  for (let place = 0; place < LEARNED_MAX_QUERIES && queries.length > 0; place += 1) {
    const { query = '', groups = [] } = queries[place % queries.length] ?? {}
    const round = Math.floor(place / queries.length)
    const other = queries[(place * 31 + round) % queries.length]?.query ?? ''
    const asked = round === 0 ? query : `${query} ${other.split(' ').slice(0, BORROWED_WORDS).join(' ')}`
    for (const [toolId] of groups) if (toolId !== undefined) yield [asked, toolId]
  }
}

function* changeTimes(index: SearchIndex, tools: readonly Tool[], under: Readonly<Record<string, string | number>>) {
  const step = Math.max(1, Math.floor(tools.length / CHANGED_TOOLS))
  const changed = tools.filter((_, place) => place % step === 0)
  const timed = (change: (tool: Tool) => void): number[] =>
    changed.map((tool) => {
      const started = performance.now()
      change(tool)
      return performance.now() - started
    })
  yield* percentiles(
    'remove',
    timed((tool) => index.remove(tool.id)),
    under,
  )
  yield* percentiles(
    'put',
    timed((tool) => index.put(tool)),
    under,
  )
}

/** By query, the least of several askings, which come in turns so that a slow moment does not hit one query alone. */
async function leastTimes(queries: readonly string[], ask: (query: string) => unknown): Promise<readonly number[]> {
  const least = queries.map(() => Infinity)
  for (let turn = 0; turn < ASKED_TIMES; turn += 1) {
    for (const [place, query] of queries.entries()) {
      const asked = performance.now()
      await ask(query)
      least[place] = Math.min(least[place] ?? Infinity, performance.now() - asked)
    }
  }
  return least
}

function spread(queries: readonly string[]): readonly string[] {
  const step = Math.max(1, queries.length / TIMED_QUERIES)
  const count = Math.min(queries.length, TIMED_QUERIES)
  return Array.from({ length: count }, (_, place) => queries[Math.floor(place * step)] ?? '')
}

function queriesByLength(data: Dataset): readonly (readonly [number, readonly string[]])[] {
  const long = queriesUpTo(data, LONG_QUERY_CHARACTERS).filter((query) => query.length > SHORT_QUERY_CHARACTERS)
  return [
    [SHORT_QUERY_CHARACTERS, queriesUpTo(data, SHORT_QUERY_CHARACTERS)],
    [LONG_QUERY_CHARACTERS, long],
  ]
}

function queriesUpTo(data: Dataset, characters: number): string[] {
  return data.queries.map(({ query }) => query).filter((query) => query.length <= characters)
}

/** As many tools as asked for: the data set's own, then the same under other names of other owners. */
function toolsOf(data: Dataset, size: number): Tool[] {
  return Array.from({ length: size }, (_, place) => {
    const copy = Math.floor(place / data.tools.length)
    const tool = data.tools[place % data.tools.length]?.tool
    if (tool === undefined) throw new Error('the data set holds no tools')
    return copy === 0 ? tool : createTool('mcp', `${tool.owner}-${copy}`, { ...tool, name: `${tool.name}_${copy}` })
  })
}

function percentiles(
  what: string,
  times: readonly number[],
  under: Readonly<Record<string, string | number>>,
): readonly Figure[] {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return [
    { area: 'search', name: `${what}P50`, value: at(0.5), unit: 'ms', ...under },
    { area: 'search', name: `${what}P99`, value: at(0.99), unit: 'ms', ...under },
  ]
}

/** Heap and typed arrays in use after a collection. */
function usedBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') {
    collect()
    collect()
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
