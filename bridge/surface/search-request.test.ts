import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../catalog/json.ts'
import { readSearchRequest } from './search-request.ts'

const settings = { defaultLimit: 8, maxLimit: 20 }
const read = (form: JsonValue) => readSearchRequest(form, settings)

describe('a search request', () => {
  test('without a limit gets the default', () => {
    expect(read({ query: 'mail' })).toMatchObject({ kind: 'one', search: { query: 'mail', limit: 8 }, notices: [] })
  })

  test('for more than the maximum is clamped and noticed', () => {
    const request = read({ query: 'mail', limit: 500 })
    expect(request).toMatchObject({ kind: 'one', search: { limit: 20 } })
    expect(request.kind === 'one' && request.notices).toEqual([
      { code: 'limit-clamped', message: 'limit 500 is more than the maximum; 20 was used' },
    ])
  })

  test('says which options it does not have', () => {
    const request = read({ query: 'mail', top_k: 3 })
    expect(request.kind === 'one' && request.notices).toEqual([
      { code: 'option-ignored', message: expect.stringContaining('"top_k"') },
    ])
  })

  test.each<[JsonValue, JsonValue]>([
    [{ q: 'mail' }, { query: 'mail' }],
    [{ query: ['mail', 'file'] }, { queries: ['mail', 'file'] }],
    [
      { queries: 'mail', limit: 3 },
      { query: 'mail', limit: 3 },
    ],
  ])('%j is read as %j', (form, meant) => {
    expect(read(form)).toEqual(read(meant))
  })

  test.each([
    [{ readonly: true, source: null, owner: null }, { readOnly: true }],
    [
      { read_only: false, Owner: 'files' },
      { readOnly: false, owner: 'files' },
    ],
  ])('reads the filter %j as it is meant', (filter, meant) => {
    expect(read({ query: 'mail', filter })).toMatchObject({ search: { filter: meant }, notices: [] })
  })

  test.each([
    [{ query: 'mail', filter: { server: 'files' } }, 'the filter has no "server", which narrowed nothing'],
    [{ queries: [{ query: 'mail', filter: {} }] }, 'a filter stands beside "queries"'],
  ])('says of %j that it was not done', (asked, words) => {
    expect(read(asked)).toMatchObject({
      notices: [{ code: 'option-ignored', message: expect.stringContaining(words) }],
    })
  })

  test('takes a filter that stands beside the query, and says where it belongs', () => {
    const request = read({ query: 'mail', owner: 'files', filter: { readOnly: true } })
    expect(request).toMatchObject({ search: { filter: { owner: 'files', readOnly: true } } })
    expect(request.kind === 'one' && request.notices.map(({ code }) => code)).toEqual(['option-moved'])
    expect(read({ query: 'mail', source: 'web' })).toMatchObject({ kind: 'problem' })
  })

  test('takes a limit that comes as text', () => {
    expect(read({ query: 'mail', limit: '3' })).toMatchObject({ search: { limit: 3 } })
  })

  test.each([
    [null, 'a search wants an object with "query", got null'],
    [{ query: 42 }, '"query" wants a text that says what you need, got 42'],
    [{}, '"query" wants a text that says what you need, got nothing'],
    [{ query: 'x', limit: 0 }, '"limit" wants a number from 1 to 20, got 0'],
    [{ query: 'x', limit: 'many' }, '"limit" wants a number from 1 to 20, got "many"'],
    [{ query: 'x', filter: { source: 'web' } }, 'filter "source" is one of "plugin", "mcp", "client", got "web"'],
    [{ queries: [] }, '"queries" wants a list of 1 to 16 queries, got a list of 0'],
    [
      { queries: Array.from({ length: 17 }, () => 'x') },
      '"queries" has 17 entries, more than 16; ask in several calls',
    ],
  ])('%j is refused with the value named', (form, message) => {
    expect(read(form)).toEqual({ kind: 'problem', message })
  })

  test('with several queries shares the budget between them', () => {
    const request = read({ queries: ['a', { query: 'b', limit: 2 }, 'c', 'd'] })
    expect(request.kind === 'many' && request.searches.map((search) => search.limit)).toEqual([4, 2, 4, 4])
  })

  test('with a query beyond the bound is cut and noticed', () => {
    const request = read({ query: 'x'.repeat(5_000) })
    expect(request.kind === 'one' && request.search.query.length).toBe(2_000)
    expect(request.kind === 'one' && request.notices.map((notice) => notice.code)).toEqual(['query-cut'])
  })

  test('never throws and never asks for more than the maximum, whatever it holds', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (form) => {
        const request = read(JSON.parse(JSON.stringify(form)))
        if (request.kind === 'problem') return request.message.length < 200
        const searches = request.kind === 'one' ? [request.search] : request.searches
        return searches.every(({ limit }) => limit >= 1 && limit <= settings.maxLimit)
      }),
    )
  })
})
