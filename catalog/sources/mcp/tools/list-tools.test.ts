import { expect, test } from 'vitest'
import { startSource, statusOf, until } from '../fixtures/recorded-source.ts'

const WHOLE = "resultType: 'complete', ttlMs: 0, cacheScope: 'private'"

/** A server by hand whose `tools/list` ends as `list(params, count)` says, with what it says that it can. */
function server(list: string, capabilities = '{ tools: {} }', revision: 'older' | 'newest' = 'older') {
  const code = `
    const tool = (name) => ({ name, inputSchema: { type: 'object' } })
    const no = (code) => ({ error: { code, message: 'no' } })
    const list = ${list}
    let count = 0
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line)
      if (id === undefined) return
      const hello = { protocolVersion: '2025-06-18', capabilities: ${capabilities}, serverInfo: { name: 'x', version: '1' } }
      const found = { ${WHOLE}, supportedVersions: ['2026-07-28'], capabilities: ${capabilities} }
      const isAsked = method === '${revision === 'newest' ? 'server/discover' : 'initialize'}'
      const end = isAsked ? { result: ${revision === 'newest' ? 'found' : 'hello'} } : method === 'tools/list' ? list(params, ++count) : no(-32601)
      console.log(JSON.stringify({ jsonrpc: '2.0', id, ...end }))
    })`
  return { command: process.execPath, args: ['-e', code] }
}

test('a list whose next page is refused is taken as far as it goes, and the cut is said', async () => {
  const list = "({ cursor }) => cursor ? no(-32602) : { result: { tools: [tool('a')], nextCursor: 'b' } }"
  await using recorded = startSource({ servers: { cut: server(list) } })
  await recorded.ready('cut')
  expect(recorded.tools('cut').map(({ name }) => name)).toEqual(['a'])
  expect(statusOf(recorded.source, 'cut')?.problems).toEqual([
    'page 2 of tools/list was refused (code -32602); the rest is left out',
  ])
})

test('a list that changes while it is read, so that its cursor is refused, is read from its start', async () => {
  const first = "count === 1 ? { result: { tools: [tool('old')], nextCursor: 'gone' } }"
  const list = `({ cursor }, count) => ${first} : cursor ? no(-32602) : { result: { tools: [tool('new')] } }`
  await using recorded = startSource({ servers: { changing: server(list) } })
  await recorded.ready('changing')
  expect(recorded.tools('changing').map(({ name }) => name)).toEqual(['new'])
  expect(statusOf(recorded.source, 'changing')?.problems).toEqual([])
})

test('tools that are no list are said to be there', async () => {
  await using recorded = startSource({ servers: { odd: server("() => ({ result: { tools: { a: tool('a') } } })") } })
  await recorded.ready('odd')
  expect(statusOf(recorded.source, 'odd')?.problems).toEqual(['tools/list has no list of tools in it'])
})

test('a server that does not say that it has tools need not say how it has none', async () => {
  const servers = { other: server('() => no(-32603)', '{ resources: {} }'), broken: server('() => no(-32603)') }
  await using recorded = startSource({ servers })
  await recorded.ready('other')
  expect(recorded.tools('other')).toEqual([])
  await until(() => statusOf(recorded.source, 'broken')?.state.kind === 'down')
})

test('of a tool that is listed twice, once so that it cannot be read, the other is taken', async () => {
  const list = "() => ({ result: { tools: [{ name: 'a' }, tool('a'), tool('b'), { name: 'b' }] } })"
  await using recorded = startSource({ servers: { twice: server(list) } })
  await recorded.ready('twice')
  expect(recorded.tools('twice').map(({ name, withheld }) => [name, withheld])).toEqual([
    ['a', undefined],
    ['b', undefined],
  ])
})

const PAGES = `{ undefined: [['a'], ''], '': [['b'], 'c'], c: [['c']] }`

test.each([
  { revision: 'newest', what: 'one like any other', first: '', names: ['a', 'b', 'c'] },
  { revision: 'older', what: 'the end', first: '', names: ['a'] },
  {
    revision: 'newest',
    what: 'the end where it is not taken',
    first: "if (cursor === '') return no(-32602);",
    names: ['a'],
  },
  {
    revision: 'newest',
    what: 'the end where the list begins again with it',
    first: "if (cursor === '') cursor = undefined;",
    names: ['a'],
  },
] as const)('in the $revision revision an empty cursor is $what', async ({ revision, first, names }) => {
  const list = `({ cursor }) => {
    ${first}
    const [names, nextCursor] = ${PAGES}[cursor]
    return { result: { ${WHOLE}, tools: names.map(tool), nextCursor } }
  }`
  await using recorded = startSource({ servers: { paged: server(list, '{ tools: {} }', revision) } })
  await recorded.ready('paged')
  expect(recorded.tools('paged').map(({ name }) => name)).toEqual(names)
  expect(statusOf(recorded.source, 'paged')?.problems).toEqual([])
})

const HIDDEN = "{ ...tool('hidden'), _meta: { ui: { visibility: ['app'] } } }"

test.each([
  {
    what: 'a list that begins again with it, with a tool for apps alone',
    pages: `{ undefined: [[tool('a'), ${HIDDEN}], 'x'], x: [[tool('b')], ''], '': [[tool('a'), ${HIDDEN}], 'x'] }`,
    names: ['a', 'b'],
  },
  {
    what: 'a page without tools before others',
    pages: `{ undefined: [[tool('a')], ''], '': [[], 'x'], x: [[tool('b')]] }`,
    names: ['a', 'b'],
  },
])('what an empty cursor leads to is told apart: $what', async ({ pages, names }) => {
  const list = `({ cursor }) => {
    const [tools, nextCursor] = ${pages}[cursor]
    return { result: { ${WHOLE}, tools, nextCursor } }
  }`
  await using recorded = startSource({ servers: { paged: server(list, '{ tools: {} }', 'newest') } })
  await recorded.ready('paged')
  expect(recorded.tools('paged').map(({ name }) => name)).toEqual(names)
  expect(statusOf(recorded.source, 'paged')?.problems).toEqual([])
})
