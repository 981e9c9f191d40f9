import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SourceKind } from '../tool-id.ts'
import type { Tool } from '../tool.ts'
import { createTool } from '../tool.ts'
import { createSearchIndex } from './create-search-index.ts'
import type { SearchIndex } from './search-index.ts'

const WORDS = 'get list create delete calendar event mail invoice file weather user note 会议 café report'.split(' ')
const OWNERS = ['alpha', 'beta', 'gamma'] as const
const SOURCES = ['plugin', 'mcp'] as const

const words = (max: number) => fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: max })
const tools = fc.uniqueArray(
  fc
    .record({
      source: fc.constantFrom<SourceKind>(...SOURCES),
      owner: fc.constantFrom(...OWNERS),
      name: words(3).map((parts) => parts.join('_')),
      description: words(8).map((parts) => parts.join(' ')),
    })
    .map(({ source, owner, name, description }) =>
      createTool(source, owner, {
        name,
        description,
        inputSchema: { type: 'object', properties: { [description]: { type: 'string' } } },
      }),
    ),
  { minLength: 1, maxLength: 40, selector: (tool) => tool.id },
)
const queries = fc.oneof(
  words(6).map((parts) => parts.join(' ')),
  fc.string({ maxLength: 60 }),
  fc.constantFrom('calender', 'get calendr', 'creat event and mail invoice', 'wether', 'list_'),
)

function indexOf(list: readonly Tool[]): SearchIndex {
  const index = createSearchIndex()
  for (const tool of list) index.put(tool)
  return index
}

test('what the view refuses is neither found, suggested, counted nor named, by function and by scope alike', () => {
  fc.assert(
    fc.property(tools, queries, fc.integer({ min: 0, max: 2 }), (list, query, hidden) => {
      const secret = OWNERS[hidden]
      const accept = (id: string): boolean => id.split(':')[1] !== secret
      const index = indexOf(list)
      for (const tool of list) index.learn('t', { query, toolId: tool.id })
      const options = { limit: 50, tenant: 't', explain: true }
      const byFunction = index.search(query, { ...options, accept })
      const byScope = index.search(query, { ...options, accept: index.scope(accept) })
      const visible = list.filter((tool) => accept(tool.id))
      expect(byScope).toEqual(byFunction)
      expect(byFunction.hits.every(({ id }) => accept(id))).toBe(true)
      expect(byFunction.total).toBeLessThanOrEqual(visible.length)
      expect(byFunction.notes.join()).not.toContain(secret)
      expect(index.suggest(query, { limit: 9, accept }).every(accept)).toBe(true)
    }),
    { numRuns: 150 },
  )
})

test('words of hidden tools are never offered for a mistyped one', () => {
  const index = indexOf([
    createTool('mcp', 'open', { name: 'read_mail', description: 'read mail', inputSchema: {} }),
    createTool('mcp', 'secret', { name: 'launch_rocket', description: 'launch a rocket', inputSchema: {} }),
  ])
  const { hits, notes } = index.search('rockt', { limit: 5, accept: (id) => !id.includes('secret') })
  expect(hits).toEqual([])
  expect(notes.join()).not.toContain('rocket')
})

test('an index that was changed tool by tool answers as one that was built afresh, in any order', () => {
  fc.assert(
    fc.property(tools, tools, fc.array(queries, { maxLength: 4 }), (first, second, asked) => {
      const changed = indexOf(first)
      for (const tool of first) changed.remove(tool.id)
      for (const tool of [...first, ...second]) changed.put(tool)
      const gone = new Set(first.map((tool) => tool.id))
      const kept = second.filter((tool) => !gone.has(tool.id))
      for (const tool of first) changed.remove(tool.id)
      for (const tool of second) if (gone.has(tool.id)) changed.remove(tool.id)
      const fresh = indexOf(kept.toReversed())
      for (const query of asked) {
        const options = { limit: 50, accept: () => true, explain: true }
        expect(changed.search(query, options)).toEqual(fresh.search(query, options))
      }
    }),
    { numRuns: 100 },
  )
})

test('a replaced tool is found by its new words only', () => {
  const index = indexOf([createTool('mcp', 'a', { name: 'thing', description: 'weather', inputSchema: {} })])
  index.put(createTool('mcp', 'a', { name: 'thing', description: 'invoice', inputSchema: {} }))
  const find = (query: string) => index.search(query, { limit: 5, accept: () => true }).hits.length
  expect([find('weather'), find('invoice')]).toEqual([0, 1])
})

test('a scope keeps its view: what came in later is outside, even where it takes a removed number', () => {
  const [old, other, late] = ['old', 'other', 'late'].map((name) =>
    createTool('mcp', 'a', { name: `${name}_report`, description: 'report', inputSchema: {} }),
  )
  if (old === undefined || other === undefined || late === undefined) throw new Error('three tools were made')
  const index = indexOf([old, other])
  const scope = index.scope(() => true)
  index.remove(old.id)
  index.put(late)
  index.put(other)
  expect(index.search('report', { limit: 5, accept: scope }).hits.map(({ id }) => id)).toEqual([other.id])
})

test('the same question gives the same answer', () => {
  fc.assert(
    fc.property(tools, queries, (list, query) => {
      const index = indexOf(list)
      const options = { limit: 10, accept: () => true }
      const first = index.search(query, options)
      index.search('create delete list', options)
      expect(index.search(query, options)).toEqual(first)
    }),
    { numRuns: 60 },
  )
})
