import { describe, expect, test } from 'vitest'
import type { ViewSearch } from './search-view.ts'
import { searchView } from './search-view.ts'
import { createSearchIndex } from './search/create-search-index.ts'
import type { SourceStatus } from './source.ts'
import { createHitTypes } from './hit-types.ts'
import type { Tool, ToolDefinition } from './tool.ts'
import { createCatalog } from './catalog.ts'
import { aView } from './testing/a-view.ts'

const issues: ToolDefinition = {
  name: 'list_issues',
  title: 'List issues '.repeat(100),
  description: 'List the open issues of a repository.',
  inputSchema: { type: 'object', properties: { repository: { type: 'string' } }, required: ['repository'] },
  outputSchema: {
    title: 'IssuePage',
    type: 'object',
    properties: {
      issues: {
        type: 'array',
        items: { type: 'object', properties: { number: { type: 'integer' }, title: { type: 'string' } } },
      },
      next: { type: 'string', description: 'Cursor of the next page' },
    },
    required: ['issues'],
  },
}
const close: ToolDefinition = {
  name: 'close_issue',
  description: 'Close an issue.',
  inputSchema: { type: 'object', properties: { number: { type: 'integer' } } },
  outputSchema: { type: 'object', properties: { closed: { type: 'boolean' } }, required: ['closed'] },
}
const tag: ToolDefinition = { name: 'tag_issue', description: 'Tag an issue.', inputSchema: { type: 'object' } }

function aStatus(owner: string, kind: 'connecting' | 'down', toolCount = 0): SourceStatus {
  const state = kind === 'down' ? { kind, sinceMs: 0, reason: 'refused' } : { kind, sinceMs: 0 }
  return { source: 'mcp', owner, state, toolCount }
}

function aSearch(pending: readonly SourceStatus[] = []) {
  const index = createSearchIndex()
  const catalog = createCatalog({ index, findFault: () => undefined, now: () => 0 })
  catalog.setTools('mcp', 'github', [issues, close, tag])
  catalog.setTools('plugin', 'files', [
    { name: 'read_file', description: 'Read a file.', inputSchema: { type: 'object' } },
  ])
  const view = aView([], { snapshot: catalog.snapshot(), pendingSources: () => pending, index })
  const types = createHitTypes()
  return (search: Omit<ViewSearch, 'limit'>) => {
    const deps = { index, signature: (tool: Tool) => types(tool).signature, output: (tool: Tool) => types(tool).output }
    const result = searchView(view, { limit: 8, ...search }, deps)
    if (result.kind !== 'answer') throw new Error(result.message)
    return result.answer
  }
}

describe('a hit', () => {
  const search = aSearch()
  const hitOf = (id: string) => search({ query: 'issue' }).hits.find((hit) => hit.id === id)

  test('of a tool with a large result has its type beside the signature, which names it', () => {
    const hit = hitOf('mcp:github:list_issues')
    expect(hit?.signature).toBe('(args: { repository: string }) => Promise<IssuePage>')
    expect(hit?.output).toContain('issues: { number?: number /* integer */; title?: string }[]')
    expect(hit?.output).toContain('next?: string')
  })

  test('of a tool with a small result holds it in both', () => {
    const hit = hitOf('mcp:github:close_issue')
    expect(hit?.signature).toContain('=> Promise<{ closed: boolean }>')
    expect(hit?.output).toBe('{ closed: boolean }')
  })

  test('of a tool that declares no result has none', () => {
    expect(hitOf('mcp:github:tag_issue')).not.toHaveProperty('output')
  })

  test('is bounded, whatever a server sends as title', () => {
    const title = hitOf('mcp:github:list_issues')?.title ?? ''
    expect(title).toMatch(/^List issues List issues.*…$/)
    expect(title.length).toBeLessThanOrEqual(120)
  })
})

describe('servers that are not ready', () => {
  const pending = [aStatus('calendar', 'connecting'), aStatus('mail', 'down'), aStatus('github', 'down', 3)]
  const notesOf = (search: Omit<ViewSearch, 'limit'>): string => aSearch(pending)(search).notes.join('\n')

  test('are named, those of known tools only where one of them was found', () => {
    expect(notesOf({ query: 'close issue' })).toMatch(/connecting.*: calendar\n.*down.*: mail, github$/)
    expect(notesOf({ query: 'read a file' })).toMatch(/connecting.*: calendar\n.*down.*: mail$/)
  })

  test('are counted and named, and their tools say why they cannot be called', () => {
    const login: SourceStatus = {
      ...aStatus('github', 'down', 3),
      state: { kind: 'down', sinceMs: 0, reason: 'needs login', needs: 'login' },
    }
    const { hits, notes } = aSearch([aStatus('a', 'connecting'), aStatus('b', 'connecting'), login])({ query: 'issue' })
    expect(notes).toEqual([
      'tools may be missing here; 2 servers still connecting: a, b',
      'an operator has to log in before some tools can be called; 1 server waiting for a login: github',
    ])
    expect(hits.map(({ unavailable }) => unavailable)).toEqual(hits.map(() => 'waiting for a login'))
    const ready = aSearch()({ query: 'issue' }).hits
    expect(ready.every((hit) => !('unavailable' in hit))).toBe(true)
  })

  test('are not named where a filter leaves them out', () => {
    expect(notesOf({ query: 'read a file', filter: { source: 'plugin' } })).toBe('')
    expect(notesOf({ query: 'issue', filter: { owner: 'mail' } })).toMatch(/down.*: mail$/)
    expect(notesOf({ query: 'issue', filter: { owner: 'Mail' } })).toMatch(/down.*: mail$/)
  })

  test('may have what was not found: nobody is told that there is no such tool', () => {
    const noteOf = (...servers: readonly SourceStatus[]) => aSearch(servers)({ query: 'frobnicate' }).notes[0]
    const open =
      /^nothing matches; .* may be of a server that is not there now, and searching again will not find one before/
    expect(noteOf(aStatus('calendar', 'connecting'))).toMatch(open)
    expect(noteOf(aStatus('mail', 'down'))).toMatch(open)
    // All that it has is known.
    expect(noteOf(aStatus('github', 'down', 3))).toMatch(/^nothing matches; .* searching again will not find one$/)
    expect(noteOf()).toMatch(/^nothing matches; .* searching again will not find one$/)
  })

  test('by the hundred are counted past the first', () => {
    const many = Array.from({ length: 500 }, (_, place) => aStatus(`server${place}`, 'connecting'))
    const [note = ''] = aSearch(many)({ query: 'issue' }).notes
    expect(note).toMatch(/server0, server1, .* and 488 more$/)
  })
})
