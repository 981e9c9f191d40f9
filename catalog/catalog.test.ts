import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BackgroundWork } from './background-work.ts'
import { createBackgroundWork } from './background-work.ts'
import type { Catalog } from './catalog.ts'
import { createCatalog } from './catalog.ts'
import type { ToolDefinition } from './tool.ts'

function aCatalog(
  findFault: (definition: ToolDefinition) => string | undefined = () => undefined,
  work?: BackgroundWork,
): {
  readonly catalog: Catalog
  readonly indexed: Set<string>
  readonly changes: string[]
} {
  const indexed = new Set<string>()
  const changes: string[] = []
  const index = {
    put: (tool: { readonly id: string }) => {
      indexed.add(tool.id)
      changes.push(`put ${tool.id}`)
    },
    remove: (id: string) => {
      indexed.delete(id)
      changes.push(`remove ${id}`)
    },
  }
  return { catalog: createCatalog({ index, findFault, now: () => 0, ...(work && { work }) }), indexed, changes }
}

const define = (name: string, description = 'does it'): ToolDefinition => ({
  name,
  description,
  inputSchema: { type: 'object' },
})

describe('the catalog', () => {
  test('its revision depends on the tools alone, not on the order of loading', () => {
    const tools = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 })
    fc.assert(
      fc.property(tools, tools, (one, two) => {
        const forward = aCatalog().catalog
        forward.setTools(
          'plugin',
          'p',
          one.map((name) => define(name)),
        )
        forward.setTools(
          'mcp',
          'm',
          two.map((name) => define(name)),
        )
        const back = aCatalog().catalog
        back.setTools('mcp', 'm', [define('gone')])
        back.setTools(
          'mcp',
          'm',
          two.toReversed().map((name) => define(name)),
        )
        back.setTools(
          'plugin',
          'p',
          one.toReversed().map((name) => define(name)),
        )
        return forward.snapshot().revision === back.snapshot().revision
      }),
    )
  })

  test('a changed description changes the revision, the same tools again do not', () => {
    const { catalog } = aCatalog()
    catalog.setTools('plugin', 'p', [define('a')])
    const first = catalog.snapshot().revision
    catalog.setTools('plugin', 'p', [define('a')])
    expect(catalog.snapshot().revision).toBe(first)
    catalog.setTools('plugin', 'p', [define('a', 'does something else')])
    expect(catalog.snapshot().revision).not.toBe(first)
  })

  test('only what changed is indexed again', () => {
    const { catalog, changes } = aCatalog()
    catalog.setTools('mcp', 'm', [define('a'), define('b')])
    changes.length = 0
    catalog.setTools('mcp', 'm', [define('b'), define('c')])
    expect(changes).toEqual(['put mcp:m:c', 'remove mcp:m:a'])
  })

  test('two sources with one tool name both stay, each under its id', () => {
    const { catalog } = aCatalog()
    catalog.setTools('plugin', 'github', [define('search')])
    catalog.setTools('mcp', 'github', [define('search')])
    expect(catalog.snapshot().tools.map((tool) => tool.id)).toEqual(['mcp:github:search', 'plugin:github:search'])
  })

  test('a bad tool is quarantined alone, with the reason', () => {
    const { catalog, indexed } = aCatalog((definition) =>
      definition.name === 'bad' ? 'its schema is broken' : undefined,
    )
    catalog.setTools('mcp', 'm', [define('bad'), define('good'), define('good')])
    expect(catalog.snapshot().tools.map((tool) => tool.id)).toEqual(['mcp:m:good'])
    expect([...indexed]).toEqual(['mcp:m:good'])
    expect(catalog.quarantined().map(({ id, reason }) => [id, reason])).toEqual([
      ['mcp:m:bad', 'its schema is broken'],
      ['mcp:m:good', 'tool "mcp:m:good" is declared twice by its source; the first one is used'],
    ])
  })

  test('a tool that turns bad leaves the index and the snapshot, and comes back when it is mended', () => {
    const { catalog, indexed } = aCatalog(({ description }) => (description === 'bad' ? 'it is bad' : undefined))
    const ids = (): readonly string[] => catalog.snapshot().tools.map(({ id }) => id)
    catalog.setTools('mcp', 'm', [define('a')])
    const before = catalog.snapshot().revision
    catalog.setTools('mcp', 'm', [define('a', 'bad')])
    expect([[...indexed], ids(), catalog.quarantined().length]).toEqual([[], [], 1])
    catalog.setTools('mcp', 'm', [define('a')])
    expect([[...indexed], ids(), catalog.quarantined().length]).toEqual([['mcp:m:a'], ['mcp:m:a'], 0])
    expect(catalog.snapshot().revision).toBe(before)
  })

  test('a removed owner leaves no tool and no state behind', () => {
    const { catalog, indexed } = aCatalog()
    catalog.setTools('mcp', 'm', [define('a')])
    const empty = aCatalog().catalog.snapshot().revision
    catalog.removeOwner('mcp', 'm')
    expect([...indexed]).toEqual([])
    expect(catalog.statuses()).toEqual([])
    expect(catalog.snapshot().revision).toBe(empty)
  })

  test('a snapshot that was taken does not change', () => {
    const { catalog } = aCatalog()
    catalog.setTools('plugin', 'p', [define('a')])
    const before = catalog.snapshot()
    catalog.setTools('plugin', 'p', [define('b')])
    expect(before.tools.map((tool) => tool.name)).toEqual(['a'])
  })
})

describe('a long list', () => {
  /** Each look at the clock is a millisecond later: ten tools a slice. `between` is told of each pause. */
  function aSlowCatalog(between: () => void = () => {}) {
    let nowMs = 0
    const pause = async (): Promise<void> => between()
    const work = createBackgroundWork({ nowMs: () => nowMs++, pause })
    return { ...aCatalog(undefined, work), work }
  }

  const many = (prefix: string, description?: string): readonly ToolDefinition[] =>
    Array.from({ length: 200 }, (_, at) => define(`${prefix}${at}`, description))

  test('is taken between other work and as a whole: the tools before it stand until all of it does', async () => {
    const seen: string[] = []
    const { catalog } = aSlowCatalog(() =>
      seen.push(`${catalog.snapshot().tools.length} ${catalog.snapshot().tools[0]?.name}`),
    )
    catalog.setTools('mcp', 'm', [define('old')])
    const told: number[] = []
    catalog.onChange(() => told.push(seen.length))
    catalog.setTools('mcp', 'm', many('new'))
    expect(catalog.snapshot().tools.map(({ name }) => name)).toEqual(['old'])
    await catalog.taken('mcp', 'm')
    expect(seen.length).toBeGreaterThan(15)
    expect(new Set(seen.slice(0, -1))).toEqual(new Set(['1 old']))
    expect(told).toHaveLength(1)
    expect(catalog.snapshot().tools).toHaveLength(200)
  })

  test('withholds what it withholds at once, and nothing else changes before all of it is taken', async () => {
    const { catalog } = aSlowCatalog()
    catalog.setTools('mcp', 'm', [define('a180'), define('old')])
    const withheld = { reason: 'it is being screened' }
    catalog.setTools(
      'mcp',
      'm',
      many('a').map((each) => ({ ...each, withheld })),
    )
    expect(catalog.snapshot().tools.map(({ name }) => name)).toEqual(['old'])
    expect(catalog.quarantined()).toMatchObject([{ id: 'mcp:m:a180', ...withheld }])
    await catalog.taken('mcp', 'm')
    expect([catalog.snapshot().tools.length, catalog.quarantined().length]).toEqual([0, 200])
    const { catalog: empty } = aCatalog()
    expect(catalog.snapshot().revision).toBe(empty.snapshot().revision)
  })

  test('gives way to one that comes meanwhile, and leaves nothing in the index', async () => {
    const { catalog, indexed } = aSlowCatalog()
    catalog.setTools('mcp', 'm', many('first'))
    catalog.setTools('mcp', 'm', [define('second')])
    await catalog.taken('mcp', 'm')
    expect(catalog.snapshot().tools.map(({ name }) => name)).toEqual(['second'])
    await catalog.taken('mcp', 'm')
    expect([...indexed]).toEqual(['mcp:m:second'])
    const { catalog: other } = aCatalog()
    other.setTools('mcp', 'm', [define('second')])
    expect(catalog.snapshot().revision).toBe(other.snapshot().revision)
  })

  test('goes with its owner, and an owner of the same name that comes back begins anew', async () => {
    const { catalog, indexed } = aSlowCatalog()
    catalog.setTools('mcp', 'm', many('a'))
    await catalog.taken('mcp', 'm')
    catalog.setState('mcp', 'm', { kind: 'ready', sinceMs: 7 })
    catalog.removeOwner('mcp', 'm')
    expect([catalog.snapshot().tools, catalog.statuses()]).toEqual([[], []])
    expect(indexed.size).toBeGreaterThan(0)
    catalog.setTools('mcp', 'm', [define('a0'), define('b')])
    await catalog.taken('mcp', 'm')
    expect(catalog.statuses()).toMatchObject([{ state: { kind: 'connecting' }, toolCount: 2 }])
    expect([...indexed].toSorted()).toEqual(['mcp:m:a0', 'mcp:m:b'])
  })

  test('is not gone on with when the gateway stops', async () => {
    const { catalog, indexed, work } = aSlowCatalog()
    catalog.setTools('mcp', 'm', many('a'))
    const before = indexed.size
    work.close()
    await catalog.taken('mcp', 'm')
    expect([catalog.snapshot().tools.length, indexed.size]).toEqual([0, before])
  })

  test('of a plugin is there at once', () => {
    const { catalog } = aSlowCatalog()
    catalog.setTools('plugin', 'p', many('a'))
    expect(catalog.snapshot().tools).toHaveLength(200)
  })
})
