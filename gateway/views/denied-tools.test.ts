import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDirectPresentation } from '../../bridge/presentation/direct.ts'
import type { ToolSurface } from '../../bridge/surface/tool-surface.ts'
import type { Caller } from '../../catalog/caller.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { createCatalog } from '../../catalog/catalog.ts'
import { createSearchIndex } from '../../catalog/search/create-search-index.ts'
import type { SourceKind } from '../../catalog/tool-id.ts'
import { toolId } from '../../catalog/tool-id.ts'
import type { Tool, ToolDefinition } from '../../catalog/tool.ts'
import type { View } from '../../catalog/view.ts'
import type { PolicySettings } from '../../policy/settings.ts'
import { aPolicy } from '../../policy/testing/a-policy.ts'
import { policySettings } from '../../policy/testing/policy-settings.ts'
import { aSurface } from './testing/a-surface.ts'
import { createViewCache } from './view-cache.ts'

/**
 * Whatever policy denies can be neither found nor described nor called by any path: over random catalogs, layers,
 * callers and spellings, through the real catalog, index, view, surface and dispatcher. What is denied is worked out a
 * second time here, plainly, by regular expressions.
 */
test('a denied tool can be reached by no spelling and no path, and an allowed one by its id', async () => {
  let denied = 0
  let reached = 0
  const shared = aCatalog()
  await fc.assert(
    fc.asyncProperty(aCase(), async (given) => {
      const world = aWorld(given, shared)
      for (const tool of world.tools) {
        if (isDenied(tool, given)) {
          denied += 1
          await expectUnreachable(tool, world)
        } else {
          reached += 1
          await expectReachable(tool, world)
        }
      }
    }),
    { numRuns: 2_000 },
  )
  // Neither half is empty.
  expect(denied).toBeGreaterThan(1_000)
  expect(reached).toBeGreaterThan(1_000)
}, 240_000)

interface Placed {
  readonly source: SourceKind
  readonly owner: string
  readonly name: string
}

interface Case {
  readonly tools: readonly Placed[]
  /** Those that a source adds when a view was already made. */
  readonly later: readonly Placed[]
  readonly scopes: readonly Scope[]
  readonly rule: string | undefined
  readonly caller: Partial<Caller>
  readonly spelling: (text: string) => string
  readonly way: keyof typeof WAYS
}

/** One pair of lists, where it stands, and whether the caller of the case meets it. */
interface Scope {
  readonly place: (typeof PLACES)[number]
  readonly allow: readonly string[]
  readonly deny: readonly string[]
}

const PLACES = ['global', 'agent', 'provider', 'channel', 'sender', 'sandbox', 'child', 'session'] as const

const OWNERS = ['git', 'vault', 'a.b'] as const
const NAMES = ['read', 'read_file', 'Delete', 'delete_all', 'x:y'] as const
const ENTRIES = [
  '*',
  'read',
  'DELETE',
  'delete_*',
  '*_file',
  'plugin:git:*',
  'mcp:*:read*',
  'mcp:vault:Read',
  'group:mcp',
  'group:plugins',
  'group:GIT',
  'group:own',
  '*:x%3Ay',
  'x:y',
  'v*t:*',
] as const
const OWN_GROUP = ['plugin:vault:*', 'read_file']

function aCase(): fc.Arbitrary<Case> {
  const placed = fc.record({
    source: fc.constantFrom<SourceKind[]>('plugin', 'mcp'),
    owner: fc.constantFrom(...OWNERS),
    name: fc.constantFrom(...NAMES),
  })
  const entries = fc.array(fc.constantFrom(...ENTRIES), { maxLength: 2 })
  const scope = fc.record({ place: fc.constantFrom(...PLACES), allow: entries, deny: entries })
  const unique = { selector: (tool: Placed) => toolId(tool.source, tool.owner, tool.name) }
  return fc.record({
    tools: fc.uniqueArray(placed, { ...unique, minLength: 1, maxLength: 4 }),
    later: fc.uniqueArray(placed, { ...unique, maxLength: 2 }),
    scopes: fc.uniqueArray(scope, { selector: ({ place }) => place, minLength: 1, maxLength: 3 }),
    rule: fc.option(fc.constantFrom(...ENTRIES), { nil: undefined, freq: 4 }),
    caller: fc.constantFrom<Partial<Caller>[]>({}, { tenant: 'other' }, { session: 's' }),
    spelling: fc.constantFrom(...SPELLINGS),
    way: fc.constantFrom('id', 'spelling', 'name', 'path', 'describe', 'search', 'direct'),
  })
}

const SPELLINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => ` ${text}`,
  (text) => `${text}\n`,
  (text) => `${text}\u200b`,
  (text) => `${text}\u0000`,
  (text) => text.replace('a', '\u0430'),
  (text) => text.replace('e', '\u212e'),
  (text) => text.normalize('NFD'),
  (text) => text.replaceAll(':', '__'),
  (text) => text.replaceAll(':', '.'),
  (text) => text.replaceAll('%3A', ':'),
  (text) => encodeURIComponent(text),
  (text) => text.split(':').slice(1).join(':'),
  (text) => `./${text}`,
  (text) => `${text}/../${text}`,
]

/** The layers of a caller, judged as a reader of the configuration would. */
function isDenied(tool: Tool, { scopes, rule }: Case): boolean {
  const names = (entry: string): boolean => {
    const text = entry.toLowerCase()
    if (text === 'group:own') return OWN_GROUP.some(names)
    if (text === 'group:mcp') return tool.source === 'mcp'
    if (text === 'group:plugins') return tool.source === 'plugin'
    if (text.startsWith('group:')) return tool.owner.toLowerCase() === text.slice('group:'.length)
    const pattern = new RegExp(`^${text.replace(/[.%]/g, '\\$&').replaceAll('*', '.*')}$`, 's')
    return pattern.test(tool.id.toLowerCase()) || pattern.test(tool.name.toLowerCase())
  }
  // A request can only allow.
  const isKeptOut = ({ place, allow, deny }: Scope): boolean =>
    (place !== 'session' && deny.some(names)) || (allow.length > 0 && !allow.some(names))
  return scopes.some(isKeptOut) || (rule !== undefined && names(rule))
}

function settingsOf({ scopes, rule }: Case): PolicySettings {
  const at = (place: Scope['place']): { readonly allow: readonly string[]; readonly deny: readonly string[] } =>
    scopes.find((scope) => scope.place === place) ?? { allow: [], deny: [] }
  return policySettings(
    {
      ...at('global'),
      groups: { own: OWN_GROUP },
      byProvider: { Fake: { ...at('provider'), alsoAllow: [] } },
      byChannel: { chat: at('channel') },
      toolsBySender: { 'id:U1': at('sender') },
      sandbox: at('sandbox'),
      childAgents: at('child'),
      rules: rule === undefined ? [] : [{ tool: rule, effect: 'deny' }],
    },
    { default: at('agent') },
  )
}

interface World {
  readonly tools: readonly Tool[]
  readonly view: View
  /** Made when nothing was denied yet: what a program that is already running holds. */
  readonly stale: View
  readonly surfaceOf: (view: View) => ToolSurface
  readonly executed: Set<string>
  readonly spelling: Case['spelling']
  readonly way: Case['way']
}

/** One for all cases, as in a gateway whose sources come and go. */
function aCatalog() {
  const index = createSearchIndex()
  return { index, catalog: createCatalog({ index, findFault: () => undefined, now: () => 0 }) }
}

function aWorld(given: Case, { index, catalog }: ReturnType<typeof aCatalog>): World {
  const executed = new Set<string>()
  const views = createViewCache({ catalog, index, policy: aPolicy(policySettings()) })
  const caller: Caller = { tenant: 't', agent: 'default', ...METS, ...given.caller, ...sessionOf(given) }
  register(catalog, given.tools, executed)
  views.setPolicy(aPolicy(settingsOf(given)))
  views.viewFor(caller)
  const known = new Set(given.tools.map(({ source, owner, name }) => toolId(source, owner, name)))
  const later = given.later.filter(({ source, owner, name }) => !known.has(toolId(source, owner, name)))
  register(catalog, [...given.tools, ...later], executed)
  const view = views.viewFor(caller)
  const open = createViewCache({ catalog, index, policy: aPolicy(policySettings()) })
  const surfaceOf = (of: View): ToolSurface => aSurface(of, { catalog, index, views, caller })
  const { spelling, way } = given
  const stale = open.viewFor({ tenant: 't', agent: 'default' })
  return { tools: catalog.snapshot().tools, view, stale, surfaceOf, executed, spelling, way }
}

/** Meets every scope of a case. */
const METS: Partial<Caller> = {
  provider: 'fake',
  model: 'm',
  channel: 'CHAT',
  sender: 'U1',
  isVouched: true,
  origin: 'program',
  parentAgent: 'boss',
}

function sessionOf({ scopes }: Case): Partial<Caller> {
  const allow = scopes.find(({ place }) => place === 'session')?.allow ?? []
  return allow.length > 0 ? { toolsAllow: [allow] } : {}
}

function register(catalog: Catalog, tools: readonly Placed[], executed: Set<string>): void {
  const owners = (['plugin', 'mcp'] as const).flatMap((source) => OWNERS.map((owner) => ({ source, owner })))
  for (const of of owners) {
    const group = tools.filter(({ source, owner }) => source === of.source && owner === of.owner)
    const definitions = group.map(({ source, owner, name }): ToolDefinition => {
      const id = toolId(source, owner, name)
      return {
        name,
        description: `Handles ${name} of ${owner}`,
        inputSchema: { type: 'object' },
        async execute() {
          executed.add(id)
          return { content: [] }
        },
      }
    })
    catalog.setTools(of.source, of.owner, definitions)
    catalog.setState(of.source, of.owner, { kind: 'ready', sinceMs: 0 })
  }
}

async function expectUnreachable(tool: Tool, world: World): Promise<void> {
  const { view, stale, surfaceOf, executed } = world
  expect([view.has(tool.id), view.tools.some(({ id }) => id === tool.id)]).toEqual([false, false])
  // What is answered, without the asker's own words, does not name it.
  expect(await WAYS[world.way](tool, world)).not.toContain(JSON.stringify(tool.id))
  // A view that was made before the denial shows it, and the call is refused all the same.
  const late = await surfaceOf(stale).call({ kind: 'text', text: tool.id }, {}, NEVER)
  expect(late.outcome.kind).toBe('denied')
  expect(executed).not.toContain(tool.id)
}

const NEVER = new AbortController().signal

/** Each gives all that it was told. */
const WAYS = {
  id: (tool: Tool, world: World) => callBy(tool.id, tool, world),
  spelling: (tool: Tool, world: World) => callBy(world.spelling(tool.id), tool, world),
  name: (tool: Tool, world: World) => callBy(world.spelling(tool.name), tool, world),
  async path(tool: Tool, { view, surfaceOf, spelling }: World) {
    const target = { kind: 'path', owner: spelling(tool.owner), name: spelling(tool.name) } as const
    const settled = await surfaceOf(view).call(target, {}, NEVER)
    if (settled.outcome.kind === 'ok') expect(settled.toolId).not.toBe(tool.id)
    return ''
  },
  async describe(tool: Tool, { view, surfaceOf, spelling }: World) {
    const text = spelling(tool.id)
    return without(text, surfaceOf(view).describe(text))
  },
  async search(tool: Tool, { view, surfaceOf, spelling }: World) {
    const queries = [tool.description, tool.name, spelling(tool.id)]
    return JSON.stringify(queries.map((query) => surfaceOf(view).search({ query })))
  },
  async direct(tool: Tool, { view, surfaceOf }: World) {
    const direct = createDirectPresentation({ view, createSurface: () => surfaceOf(view), callText: () => '' })
    expect(direct.definitions().map(({ name }) => name)).not.toContain(tool.safeName)
    return JSON.stringify(await direct.handle({ id: 'c', name: tool.safeName, arguments: '{}' }, NEVER))
  },
} as const

async function callBy(text: string, tool: Tool, { view, surfaceOf }: World): Promise<string> {
  const settled = await surfaceOf(view).call({ kind: 'text', text }, {}, NEVER)
  if (settled.outcome.kind === 'ok') expect(settled.toolId).not.toBe(tool.id)
  if (settled.outcome.kind === 'unknown-tool') expect(settled.outcome.suggestions).not.toContain(tool.id)
  return settled.outcome.kind === 'ok' ? '' : without(text, settled.outcome)
}

function without(asked: string, told: unknown): string {
  return JSON.stringify(told).replaceAll(JSON.stringify(JSON.stringify(asked)).slice(1, -1), '')
}

async function expectReachable(tool: Tool, { view, surfaceOf, executed }: World): Promise<void> {
  const surface = surfaceOf(view)
  const settled = await surface.call({ kind: 'text', text: tool.id }, {}, new AbortController().signal)
  expect([settled.outcome.kind, settled.toolId]).toEqual(['ok', tool.id])
  expect(executed).toContain(tool.id)
  expect(surface.describe(tool.id).kind).toBe('value')
  executed.delete(tool.id)
}
