import { describe, expect, test } from 'vitest'
import type { RegisteredHook } from '../../bridge/hooks.ts'
import { createDirectPresentation } from '../../bridge/presentation/direct.ts'
import type { ToolSurface } from '../../bridge/surface/tool-surface.ts'
import type { Caller } from '../../catalog/caller.ts'
import { createCatalog } from '../../catalog/catalog.ts'
import type { JsonObject } from '../../catalog/json.ts'
import { createSearchIndex } from '../../catalog/search/create-search-index.ts'
import { safeName } from '../../catalog/tool-id.ts'
import type { ToolDefinition } from '../../catalog/tool.ts'
import type { PolicyRule, PolicySettings } from '../../policy/settings.ts'
import { aPolicy } from '../../policy/testing/a-policy.ts'
import { policySettings } from '../../policy/testing/policy-settings.ts'
import { aSurface } from './testing/a-surface.ts'
import type { ViewCache } from './view-cache.ts'
import { createViewCache } from './view-cache.ts'

const CALLER: Caller = { tenant: 't', agent: 'default' }
const { signal } = new AbortController()

interface World {
  readonly views: ViewCache
  readonly ran: JsonObject[]
  surface(hooks?: readonly RegisteredHook[]): ToolSurface
  setSettings(settings: PolicySettings): void
  add(owner: string, name: string): void
}

/** Plugin `pay` with `refund`, which takes an amount and an action. */
function aWorld(tools: Partial<PolicySettings['tools']>): World {
  const ran: JsonObject[] = []
  const index = createSearchIndex()
  const catalog = createCatalog({ index, findFault: () => undefined, now: () => 0 })
  const definition = (name: string): ToolDefinition => ({
    name,
    description: 'Pays money back',
    inputSchema: {
      type: 'object',
      properties: { action: { enum: ['check', 'pay', 'wipe'] }, amount: { type: 'number' } },
      required: ['action'],
    },
    async execute(args) {
      ran.push(args)
      return { content: [] }
    },
  })
  const add = (owner: string, name: string): void => catalog.setTools('plugin', owner, [definition(name)])
  add('pay', 'refund')
  const views = createViewCache({ catalog, index, policy: aPolicy(policySettings(tools)) })
  return {
    views,
    ran,
    add,
    surface: (hooks = []) => aSurface(views.viewFor(CALLER), { catalog, index, views, caller: CALLER, hooks }),
    setSettings: (settings) => views.setPolicy(aPolicy(settings)),
  }
}

const LARGE = { properties: { amount: { exclusiveMinimum: 100 } }, required: ['amount'] }

function rewriting(params: JsonObject): RegisteredHook {
  return { plugin: 'p', priority: 0, event: 'before_tool_call', handler: () => ({ params }) }
}

describe('a call', () => {
  const rules: readonly PolicyRule[] = [{ tool: 'refund', when: LARGE, effect: 'deny', reason: 'refunds end at 100' }]
  const call = (surface: ToolSurface, args: JsonObject) => surface.call({ kind: 'text', text: 'refund' }, args, signal)

  test('that a rule refuses is not made, and says why in the words of the rule', async () => {
    const world = aWorld({ rules })
    const { outcome } = await call(world.surface(), { action: 'pay', amount: 500 })
    expect(outcome).toMatchObject({
      kind: 'denied',
      effect: 'none',
      message: expect.stringContaining('refunds end at 100'),
    })
    expect((await call(world.surface(), { action: 'pay', amount: 50 })).outcome.kind).toBe('ok')
    expect(world.ran).toEqual([{ action: 'pay', amount: 50 }])
  })

  test('that a hook turns into a denied one is not made, and one that it turns into an allowed one is', async () => {
    const world = aWorld({ rules })
    const raised = world.surface([rewriting({ action: 'pay', amount: 1_000 })])
    expect((await call(raised, { action: 'pay', amount: 1 })).outcome.kind).toBe('denied')
    expect(world.ran).toEqual([])
    const lowered = world.surface([rewriting({ action: 'pay', amount: 1 })])
    expect((await call(lowered, { action: 'pay', amount: 1_000 })).outcome.kind).toBe('ok')
    expect(world.ran).toEqual([{ action: 'pay', amount: 1 }])
  })

  test('of a program that is already running is refused as soon as its tool is denied', async () => {
    const world = aWorld({})
    const running = world.surface()
    expect((await call(running, { action: 'pay' })).outcome.kind).toBe('ok')
    world.setSettings(policySettings({ deny: ['refund'] }))
    expect((await call(running, { action: 'pay' })).outcome.kind).toBe('denied')
    expect((await call(world.surface(), { action: 'pay' })).outcome.kind).toBe('unknown-tool')
    expect(world.ran).toHaveLength(1)
  })

  test('that would have to be asked about is not made where nobody can be asked', async () => {
    const world = aWorld({ approvals: 'all' })
    expect((await call(world.surface(), { action: 'pay' })).outcome.kind).toBe('rejected')
    expect(world.ran).toEqual([])
  })

  test('of an agent that the configuration no longer has is refused', async () => {
    const world = aWorld({})
    const running = world.surface()
    world.setSettings({ ...policySettings(), agents: {} })
    expect((await call(running, { action: 'pay' })).outcome.kind).toBe('denied')
  })
})

describe('what is shown', () => {
  const wipe = { properties: { action: { const: 'wipe' } }, required: ['action'] }

  test('has no value that a rule refuses: not in signature, description or definition', () => {
    const world = aWorld({ rules: [{ tool: 'group:pay', when: wipe, effect: 'deny' }] })
    const surface = world.surface()
    const direct = createDirectPresentation({
      view: surface.view,
      createSurface: () => surface,
      callText: () => '',
    })
    const told = [surface.search({ query: 'pays money back' }), surface.describe('refund'), direct.definitions()]
    for (const each of told) {
      expect(JSON.stringify(each)).toContain('check')
      expect(JSON.stringify(each)).not.toContain('wipe')
    }
  })

  test('a description says whether a call waits, for what and by which arguments; a hit that it does', () => {
    const world = aWorld({ rules: [{ tool: 'refund', when: LARGE, effect: 'ask', reason: 'large refunds' }] })
    expect(world.surface().describe('refund')).toMatchObject({
      value: { approval: { needed: 'sometimes', reasons: ['large refunds'], dependsOn: ['amount'] } },
    })
    expect(world.surface().search({ query: 'pays money back' })).toMatchObject({
      value: { hits: [{ name: 'refund', approval: 'sometimes' }] },
    })
    // Not from which amount on: a model would pay in parts.
    expect(JSON.stringify(world.surface().describe('refund'))).not.toContain('exclusiveMinimum')
    const free = aWorld({})
    expect(JSON.stringify(free.surface().describe('refund'))).not.toContain('"approval"')
  })

  test('is one view for all to whom the same layers apply, and another one as soon as catalog or policy change', () => {
    const world = aWorld({ toolsBySender: { 'id:U1': { allow: ['nothing'], deny: [] } } })
    const { views } = world
    const view = views.viewFor(CALLER)
    expect(views.viewFor({ ...CALLER, tenant: 'other', sender: 'U2', session: 's' })).toBe(view)
    expect(views.viewFor({ ...CALLER, sender: 'U1' }).tools).toEqual([])
    world.add('later', 'refund')
    expect(views.viewFor(CALLER)).not.toBe(view)
    expect(views.viewFor(CALLER).tools).toHaveLength(2)
    world.setSettings(policySettings({ deny: ['plugin:later:*'] }))
    expect(views.viewFor(CALLER).tools).toHaveLength(1)
  })

  test("a list of the client's own tools is looked at once in a turn", () => {
    const { views } = aWorld({ deny: ['client:client:no'] })
    const brought = [
      { id: 'client:client:no', name: 'no' },
      { id: 'client:client:yes', name: 'yes' },
    ].map((identity) => ({ ...clientTool, ...identity }))
    const view = views.viewFor(CALLER, brought)
    expect(view.clientTools.map(({ name }) => name)).toEqual(['yes'])
    expect(views.viewFor(CALLER, brought)).toBe(view)
    expect(views.viewFor(CALLER, [...brought])).not.toBe(view)
  })
})

const clientTool = {
  source: 'client',
  owner: 'client',
  description: '',
  inputSchema: {},
  annotations: {},
  safeName: '',
  schemaHash: '',
} as const

describe('an exact id that leads to nothing', () => {
  const settings = (deny: readonly string[]) => policySettings({ deny: [...deny] })

  function worldOf(deny: readonly string[] = []) {
    const index = createSearchIndex()
    const findFault = (_definition: ToolDefinition, id: string) => (id.endsWith(':odd') ? 'it is odd' : undefined)
    const catalog = createCatalog({ index, findFault, now: () => 0 })
    const tool = (name: string): ToolDefinition => ({ name, description: '', inputSchema: { type: 'object' } })
    catalog.setTools('mcp', 'files', [tool('odd'), tool('read')])
    catalog.setTools('plugin', 'own', [tool('odd')])
    catalog.setState('mcp', 'late', { kind: 'connecting', sinceMs: 0 })
    catalog.setState('mcp', 'files', { kind: 'down', sinceMs: 0, reason: 'it ended' })
    const view = createViewCache({ catalog, index, policy: aPolicy(settings(deny)) }).viewFor(CALLER)
    return {
      resolve: (id: string) => view.resolve(id),
      path: (name: string) => view.resolvePath('files', name),
      shownAs: (name: string) => view.quarantinedAs(name),
    }
  }

  test.each(['mcp:files:odd', 'plugin:own:odd'])('says that %s is in quarantine', (id) => {
    expect(worldOf().resolve(id)).toMatchObject({ kind: 'unknown', absence: { kind: 'quarantined', id } })
  })

  test('is what the name that a quarantined tool was shown under stands for', () => {
    expect(worldOf().shownAs(safeName('mcp', 'files', 'odd'))).toBe('mcp:files:odd')
    expect(worldOf(['mcp:files:odd']).shownAs(safeName('mcp', 'files', 'odd'))).toBeUndefined()
    expect(worldOf().shownAs(safeName('mcp', 'files', 'read'))).toBeUndefined()
  })

  test('says so of the path of a program too', () => {
    expect(worldOf().path('odd')).toMatchObject({ kind: 'unknown', absence: { kind: 'quarantined' } })
  })

  test('says that its server is still connecting, where nothing is known of that server', () => {
    const absence = { kind: 'pending', server: 'late', state: 'connecting' }
    expect(worldOf().resolve('mcp:late:read')).toMatchObject({ kind: 'unknown', absence })
  })

  test.each([
    ['a server that had no such tool when it was last there', 'mcp:files:write', []],
    ['a server that is not configured', 'mcp:none:read', []],
    ['a tool in quarantine that the caller may not see', 'mcp:files:odd', ['mcp:files:odd']],
    ['a server that the caller may not see', 'mcp:late:read', ['mcp:late:*']],
  ])('says nothing of %s', (_what, id, deny) => {
    const resolution = worldOf(deny).resolve(id)
    expect(resolution).toMatchObject({ kind: 'unknown' })
    expect(resolution).not.toHaveProperty('absence')
  })
})
