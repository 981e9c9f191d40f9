import { describe, expect, test } from 'vitest'
import type { SourceKind } from '../tool-id.ts'
import type { Tool, ToolDefinition } from '../tool.ts'
import { createTool } from '../tool.ts'
import { createSearchIndex } from './create-search-index.ts'
import type { SearchIndex, SearchOptions } from './search-index.ts'

const everything = (): boolean => true

function aTool(name: string, description = '', more: Partial<ToolDefinition> = {}): Tool {
  return aToolOf('plugin', 'office', { name, description, inputSchema: { type: 'object' }, ...more })
}

function aToolOf(source: SourceKind, owner: string, definition: Partial<ToolDefinition> & { name: string }): Tool {
  return createTool(source, owner, { description: '', inputSchema: { type: 'object' }, ...definition })
}

function indexOf(...tools: readonly Tool[]): SearchIndex {
  const index = createSearchIndex()
  for (const tool of tools) index.put(tool)
  return index
}

function namesOf(index: SearchIndex, query: string, options: Partial<SearchOptions> = {}): string[] {
  const { hits } = index.search(query, { limit: 10, accept: everything, ...options })
  return hits.map(({ id }) => id.split(':').at(-1) ?? '')
}

function officeIndex(): SearchIndex {
  return indexOf(
    aTool('create_event', 'Create a calendar event', {
      inputSchema: {
        type: 'object',
        properties: { title: { type: 'string' }, attendees: { type: 'array', description: 'people to invite' } },
      },
    }),
    aTool('list_events', 'List calendar events between two dates'),
    aTool('schedule_job', 'Schedule a job to run at a time'),
    aTool('send_mail', 'Send an email to one or more recipients'),
    aTool('read_file', 'Read the contents of a file'),
    aTool('update_spreadsheet', 'Write values into the cells of a spreadsheet'),
    aTool('delete_note', 'Delete a note for good'),
    aTool('getInvoice', 'Fetch an invoice by its number'),
    aTool('convert_currency', 'Convert an amount from one currency to another'),
    aTool('translate_text', 'Translate a text into another language'),
    aTool('weather_forecast', 'Weather forecast for a place'),
    aTool('search_web', 'Search the web for pages'),
    aTool('会议', '创建日历会议并邀请参加者'),
  )
}

describe('cases that rankers get wrong', () => {
  test.each([
    ['scheduling', 'schedule_job'],
    ['calender event', 'create_event'],
    ['invite people to a meeting', 'create_event'],
    ['remove a note', 'delete_note'],
    ['exchange money', 'convert_currency'],
    ['Rechnung getInvoice', 'getInvoice'],
    ['在日历上邀请参加者', '会议'],
    ['Wéather fórecast', 'weather_forecast'],
  ])('"%s" finds %s first', (query, name) => {
    expect(namesOf(officeIndex(), query)[0]).toBe(name)
  })

  test('"read" does not find a spreadsheet, though the letters are in it', () => {
    expect(namesOf(officeIndex(), 'read')).not.toContain('update_spreadsheet')
    expect(namesOf(officeIndex(), 'read')[0]).toBe('read_file')
  })

  test('a request that no tool serves gives no hits, and says what there is instead', () => {
    const { hits, total, notes } = officeIndex().search('run shell command', { limit: 8, accept: everything })
    expect({ hits, total }).toEqual({ hits: [], total: 0 })
    expect(notes.join()).toContain('13 tools of office (13)')
  })

  test.each(['', '   ', '?!', '\u0000', '\u0001\u0001'])('the query %j gives no hits', (query) => {
    expect(officeIndex().search(query, { limit: 8, accept: everything }).hits).toEqual([])
  })

  test('nonsense gives no hits', () => {
    expect(namesOf(officeIndex(), 'zxqv blorf wuggle')).toEqual([])
  })

  test('an index without tools says so', () => {
    expect(createSearchIndex().search('mail', { limit: 8, accept: everything }).notes.join()).toContain('no tools')
  })
})

describe('names', () => {
  test.each(['create_event', ' CREATE_EVENT ', 'plugin:office:create_event', 'Plugin:Office:Create_Event'])(
    '%j finds the tool of that name or id first, in any case and trimmed',
    (query) => {
      const index = officeIndex()
      index.put(aTool('create_event_create_event', 'create_event create event create an event'))
      expect(namesOf(index, query)[0]).toBe('create_event')
    },
  )

  test.each(['create event', 'createevent', 'office create event', 'creat event', 'create evnt', 'create eve'])(
    '%j finds create_event first: words, run together, with its owner, cut or mistyped',
    (query) => {
      expect(namesOf(officeIndex(), query)[0]).toBe('create_event')
    },
  )

  test.each(['mcp__desk__app', 'desk__app_1a2b3c4d', 'tools.desk.app', 'desk/app', 'Desk app'])(
    '%j finds the tool of that owner and name first, not those that speak of both',
    (query) => {
      const index = indexOf(
        aToolOf('mcp', 'desk', { name: 'window', description: 'Moves windows of a desk app' }),
        aToolOf('mcp', 'apple', { name: 'notes', description: 'Notes about the desk app, desk app, desk app' }),
        aToolOf('mcp', 'desk', { name: 'app', description: 'Launches, hides and quits programs' }),
      )
      expect(namesOf(index, query)[0]).toBe('app')
    },
  )

  test('a name that is nothing but stop words is found', () => {
    expect(namesOf(indexOf(aTool('do_it'), aTool('read_file')), 'do it')[0]).toBe('do_it')
  })

  test('a mistyped id is suggested, and nothing out of the blue', () => {
    const index = officeIndex()
    expect(index.suggest('plugin:office:create_evnet', { limit: 3, accept: everything })[0]).toBe(
      'plugin:office:create_event',
    )
    expect(index.suggest('creat_event', { limit: 3, accept: everything })[0]).toBe('plugin:office:create_event')
    expect(index.suggest('qqqq', { limit: 3, accept: everything })).toEqual([])
  })

  test('letters of another case, width or with marks are the same letters', () => {
    expect(namesOf(indexOf(aTool('résumé_parse', 'x'), aTool('other')), 'ＲＥＳＵＭＥ parse')[0]).toBe('résumé_parse')
  })
})

describe('schemas', () => {
  test('words of nested parameters, local references, enum values and examples are found', () => {
    const index = indexOf(
      aTool('a', '', {
        inputSchema: {
          type: 'object',
          properties: { deep: { type: 'array', items: { $ref: '#/$defs/leaf' } } },
          $defs: { leaf: { type: 'object', properties: { kind: { enum: ['walrus'], description: 'the pinniped' } } } },
        },
      }),
      aTool('b', '', { examples: [{ place: 'Reykjavik' }] }),
    )
    expect(namesOf(index, 'walrus')).toEqual(['a'])
    expect(namesOf(index, 'pinniped')).toEqual(['a'])
    expect(namesOf(index, 'reykjavik')).toEqual(['b'])
  })

  test('a schema that refers to itself, or to nothing, is indexed all the same', () => {
    const loop = { type: 'object', properties: { next: { $ref: '#' }, lost: { $ref: '#/nowhere/~1' } } }
    expect(namesOf(indexOf(aTool('looped', 'a linked list', { inputSchema: loop })), 'linked list')).toEqual(['looped'])
  })

  test('a schema of a hundred thousand properties is read within bounds', () => {
    const properties = Object.fromEntries(Array.from({ length: 100_000 }, (_, place) => [`field${place}`, {}]))
    const index = indexOf(aTool('huge', 'a huge form', { inputSchema: { type: 'object', properties } }))
    expect(namesOf(index, 'huge form')).toEqual(['huge'])
  })
})

describe('answers', () => {
  test('each step of a request that names several gets its tool near the top', () => {
    const names = namesOf(officeIndex(), 'find the invoice and mail it to the customer')
    expect(names.slice(0, 2).toSorted()).toEqual(['getInvoice', 'send_mail'])
  })

  test('filters narrow by source, owner and annotation', () => {
    const index = indexOf(
      aToolOf('mcp', 'box', { name: 'list_files', annotations: { readOnlyHint: true } }),
      aToolOf('mcp', 'disk', { name: 'list_files' }),
      aToolOf('plugin', 'box', { name: 'list_files' }),
    )
    const idsFor = (filter: SearchOptions['filter']): string[] =>
      index.search('list files', { limit: 9, accept: everything, ...(filter && { filter }) }).hits.map(({ id }) => id)
    expect(idsFor({ source: 'plugin' })).toEqual(['plugin:box:list_files'])
    expect(idsFor({ owner: 'disk' })).toEqual(['mcp:disk:list_files'])
    expect(idsFor({ readOnly: true })).toEqual(['mcp:box:list_files'])
    expect(idsFor({ readOnly: false })).toHaveLength(2)
    expect(idsFor({ owner: 'Disk' })).toEqual(['mcp:disk:list_files'])
    expect(idsFor(undefined)).toEqual(['mcp:box:list_files', 'mcp:disk:list_files', 'plugin:box:list_files'])
  })

  test('what only a filter leaves out is not said to be absent', () => {
    const index = officeIndex()
    const notesFor = (options: Partial<SearchOptions>): string =>
      index.search('read a file', { limit: 9, accept: everything, ...options }).notes.join()
    expect(notesFor({ filter: { owner: 'disk' } })).toMatch(
      /^nothing matches within the filter; without it here are 13 tools of office .*; search again without it/,
    )
    const hidden = (id: string): boolean => id.endsWith('send_mail')
    expect(notesFor({ filter: { owner: 'disk' }, accept: hidden })).toContain('here is 1 tool of office (1)')
    expect(notesFor({ accept: hidden })).toMatch(/^nothing matches; here.* searching again will not find one$/)
  })

  test('tools that the client brought are ranked among the others, and only where they are given', () => {
    const index = officeIndex()
    const extra = [aToolOf('client', 'client', { name: 'open_tab', description: 'Open a browser tab' })]
    expect(namesOf(index, 'open a browser tab', { extra })[0]).toBe('open_tab')
    expect(namesOf(index, 'open_tab', { extra })[0]).toBe('open_tab')
    expect(namesOf(index, 'open a browser tab')).not.toContain('open_tab')
  })

  test('pages follow each other without gap or repeat', () => {
    const tools = Array.from({ length: 300 }, (_, place) => aTool(`report_${place}`, `report number ${place}`))
    const index = indexOf(...tools)
    const pages = [0, 100, 200].map((offset) => namesOf(index, 'report', { limit: 100, offset }))
    expect(new Set(pages.flat()).size).toBe(300)
    expect(pages.flat()).toEqual(namesOf(index, 'report', { limit: 300 }))
  })

  test('explain names fields, terms and scores, and what a synonym stands for', () => {
    const { hits } = officeIndex().search('remove a note', { limit: 1, accept: everything, explain: true })
    expect(hits[0]?.why).toContainEqual(expect.objectContaining({ field: 'name', term: 'note' }))
    expect(hits[0]?.why?.map(({ term }) => term)).toContain('delet (for remov)')
    const plain = officeIndex().search('remove a note', { limit: 1, accept: everything })
    expect(plain.hits[0]).not.toHaveProperty('why')
  })

  test('a word that was read as another is named', () => {
    const { notes } = officeIndex().search('calender event', { limit: 1, accept: everything })
    expect(notes.join()).toContain('"calender" was read as calendar')
  })

  test('a query that is too long is cut and says so', () => {
    const { notes, hits } = officeIndex().search(`weather ${'x '.repeat(5_000)}`, { limit: 1, accept: everything })
    expect(notes.join()).toContain('cut to its first')
    expect(hits).toHaveLength(1)
  })

  test('hits that hold little of what was asked are weak', () => {
    const index = officeIndex()
    const { hits } = index.search('weather of the magnetosphere of jupiter near ganymede', {
      limit: 1,
      accept: everything,
    })
    expect(hits[0]?.weak ?? true).toBe(true)
    expect(index.search('weather forecast', { limit: 1, accept: everything }).hits[0]?.weak).toBe(false)
  })
})

describe('learning', () => {
  const query = 'how warm will it be in the mountains'
  const learned = { query, toolId: 'plugin:office:weather_forecast' }

  test('a tool that was called after such a query is lifted, and explain says so', () => {
    const index = officeIndex()
    index.learn('ann', learned)
    const { hits } = index.search('how warm in the mountains', {
      limit: 1,
      accept: everything,
      tenant: 'ann',
      explain: true,
    })
    expect(hits[0]?.id).toBe(learned.toolId)
    expect(hits[0]?.why?.[0]?.field).toBe('past use')
  })

  test('one tenant learns nothing of another, nor does a search without a tenant', () => {
    const index = officeIndex()
    const before = index.search(query, { limit: 9, accept: everything, tenant: 'bob' })
    index.learn('ann', learned)
    expect(index.search(query, { limit: 9, accept: everything, tenant: 'bob' })).toEqual(before)
    expect(index.search(query, { limit: 9, accept: everything })).toEqual(before)
  })

  test('a tool outside of the view is not lifted into it, nor one that is gone', () => {
    const index = officeIndex()
    index.learn('ann', learned)
    const accept = (id: string): boolean => id !== learned.toolId
    expect(namesOf(index, query, { tenant: 'ann', accept })).not.toContain('weather_forecast')
    index.remove(learned.toolId)
    expect(namesOf(index, query, { tenant: 'ann' })).not.toContain('weather_forecast')
  })

  test('a tool that nobody has called shares in what its owner was called for, and explain says so', () => {
    const owned = ['genus', 'family'].map((name) =>
      aToolOf('mcp', 'fruits', { name: `fruits_by_${name}`, description: `All fruits of one ${name}` }),
    )
    const index = indexOf(...owned, aToolOf('mcp', 'shop', { name: 'sell', description: 'Sell fruits of your garden' }))
    index.learn('ann', { query: 'which kinds belong to the genus citrus', toolId: 'mcp:fruits:fruits_by_genus' })
    const { hits } = index.search('which kinds belong to the family of roses', {
      limit: 3,
      accept: everything,
      tenant: 'ann',
      explain: true,
    })
    expect(hits[0]?.id).toBe('mcp:fruits:fruits_by_family')
    expect(hits[0]?.why?.[0]?.term).toContain('same owner')
  })

  test('past queries for tools of other views take no place of those for tools of this one', () => {
    const index = officeIndex()
    for (let place = 0; place < 50; place += 1) {
      index.put(aToolOf('mcp', 'hidden', { name: `other_${place}` }))
      const query = `how warm will it be in the mountains tomorrow ${'abcdefghij'[place % 10]}${place}`
      index.learn('ann', { query, toolId: `mcp:hidden:other_${place}` })
    }
    index.learn('ann', learned)
    const accept = (id: string): boolean => !id.startsWith('mcp:hidden')
    expect(namesOf(index, `${query} tomorrow`, { tenant: 'ann', accept })[0]).toBe('weather_forecast')
  })

  test('a query about something else is answered as if nothing was learned', () => {
    const index = officeIndex()
    index.learn('ann', learned)
    const asked = { limit: 9, accept: everything }
    expect(index.search('send an email', { ...asked, tenant: 'ann' })).toEqual(index.search('send an email', asked))
  })
})
