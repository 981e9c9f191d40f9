import { describe, expect, test } from 'vitest'
import { createCatalog } from '../../catalog/catalog.ts'
import type { Caller } from '../../catalog/caller.ts'
import { createSearchIndex } from '../../catalog/search/create-search-index.ts'
import { aTool } from '../../catalog/testing/a-tool.ts'
import type { ToolDefinition } from '../../catalog/tool.ts'
import { aPolicy } from '../../policy/testing/a-policy.ts'
import { policySettings } from '../../policy/testing/policy-settings.ts'
import type { ModeInForce } from '../presenting/mode-in-force.ts'
import { readConfig } from '../config/read-config.ts'
import type { Explainer } from './explainer.ts'
import { createExplainer } from './explainer.ts'

const CALLER: Caller = { tenant: 'default', agent: 'default' }

interface World {
  readonly text?: string
  readonly mode?: ModeInForce['inForce']
}

/** Plugin `files` with `read`, `write`, `wipe`, `manage` with an enumerated action, a broken one and `read` again; server `web`, which is down, with `fetch`. */
async function aWorld({ text = '{}', mode = 'code' }: World = {}): Promise<
  Explainer & { readonly registered: number }
> {
  const read = await readConfig(text, { env: {}, directory: '/' })
  if (read.kind === 'invalid') throw new Error(JSON.stringify(read.problems))
  const policy = aPolicy({ ...policySettings(), ...read.config })
  const index = createSearchIndex()
  const catalog = createCatalog({
    index,
    now: () => 0,
    findFault: ({ name }) =>
      name === 'broken'
        ? { reason: 'input schema: no such reference', schema: 'input', keyword: '$ref', path: '#/properties/a' }
        : undefined,
  })
  const named = (name: string): ToolDefinition => aTool({ name })
  const manage = aTool({
    name: 'manage',
    inputSchema: { type: 'object', properties: { action: { enum: ['open', 'close'] } }, required: ['action'] },
  })
  catalog.setTools('plugin', 'files', [...['read', 'write', 'wipe', 'broken', 'read'].map(named), manage])
  catalog.setState('plugin', 'files', { kind: 'ready', sinceMs: 0 })
  catalog.setTools('mcp', 'web', [named('fetch')])
  catalog.setState('mcp', 'web', { kind: 'down', sinceMs: Date.UTC(2026, 0, 2), reason: 'connection refused' })
  const explainer = createExplainer({
    catalog,
    index,
    policyFor: (caller) => policy.of(caller),
    mode: () => ({ configured: mode, inForce: mode }),
    withheld: () => ['plugin:files:shred'],
    findingsOf: () => [],
    configText: () => ({ text, file: '/etc/d.json5' }),
  })
  const registered = catalog.snapshot().tools.length + catalog.quarantined().length + 1
  return { ...explainer, registered }
}

describe('one tool', () => {
  test('is denied by an entry that is told with path, line and column of the file, and every layer is told in order', async () => {
    const world = await aWorld({
      text: `{\n  // who\n  tools: {\n    deny: ['x',\n      'plugin:files:W*'],\n  },\n}`,
    })
    const wipe = world.explain('wipe', CALLER)
    expect(wipe).toMatchObject({
      id: 'plugin:files:wipe',
      state: 'denied',
      reason: 'the layer "global" denies it by "plugin:files:W*" (tools.deny[1], /etc/d.json5:5:7)',
      decidedBy: {
        layer: 'global',
        entry: 'plugin:files:W*',
        path: 'tools.deny[1]',
        file: '/etc/d.json5',
        line: 5,
        column: 7,
      },
    })
    expect(wipe.layers).toMatchObject([{ layer: 'global', verdict: 'deny', entry: { line: 5 }, place: { line: 3 } }])
    expect(world.explain('plugin:files:read', CALLER).layers).toMatchObject([{ layer: 'global', verdict: 'pass' }])
  })

  test('is left out by a list, and a layer after it is told too', async () => {
    const text = `{ tools: { allow: ['read'] }, agents: { a: { tools: { allow: ['wipe'], deny: ['write'] } } } }`
    const world = await aWorld({ text })
    const wipe = world.explain('wipe', { ...CALLER, agent: 'a' })
    expect(wipe).toMatchObject({ state: 'denied', decidedBy: { entry: 'allow', path: 'tools.allow', line: 1 } })
    expect(wipe.layers).toMatchObject([
      { layer: 'global', verdict: 'deny', missing: { from: 'allow', path: 'tools.allow' } },
      { layer: 'agent', verdict: 'allow', entry: { text: 'wipe', path: 'agents.a.tools.allow[0]' } },
    ])
    expect(world.explain('wipe', { ...CALLER, toolsAllow: [['read']] }).layers.at(-1)).toEqual({
      layer: 'session',
      verdict: 'deny',
      place: { path: 'toolsAllow' },
      missing: { from: 'allow', path: 'toolsAllow' },
    })
  })

  test('tells of a layer that holds by a claim that nobody vouches for, and of the one for all others', async () => {
    const text = `{ tools: { byChannel: { ops: { allow: ['*'] }, '*': { allow: ['read'] } } } }`
    const world = await aWorld({ text })
    const claimed = world.explain('wipe', { ...CALLER, channel: 'ops' })
    expect(claimed).toMatchObject({ state: 'denied', decidedBy: { path: 'tools.byChannel.*.allow' } })
    expect(claimed.layers).toMatchObject([{ verdict: 'deny' }, { verdict: 'allow', vouched: false }])
    const vouched = world.explain('wipe', { ...CALLER, channel: 'ops', isVouched: true })
    expect(vouched.state).toBe('deferred')
    expect(vouched.layers).toMatchObject([{ verdict: 'allow', entry: { text: '*' } }])
    expect(vouched.layers[0]).not.toHaveProperty('vouched')
  })

  test('is denied by a profile, which is told by its name', async () => {
    const world = await aWorld({ text: "{ tools: { profile: 'readonly' } }" })
    expect(world.explain('read', CALLER)).toMatchObject({
      state: 'denied',
      decidedBy: { layer: 'profile', entry: 'profile readonly', path: 'tools.profile', line: 1 },
      layers: [{ layer: 'profile', profile: 'readonly', verdict: 'deny', missing: { from: 'annotations' } }],
    })
  })

  test('waits for an approval, always or by its arguments, and the rule is told', async () => {
    const when = '{ properties: { text: { const: "x" } }, required: ["text"] }'
    const text = `{ tools: { rules: [
      { tool: 'wipe', effect: 'ask', reason: 'it is gone then' }, { tool: 'write', effect: 'ask', when: ${when} } ] } }`
    const world = await aWorld({ text })
    expect(world.explain('wipe', CALLER)).toMatchObject({
      state: 'awaiting-approval',
      approval: { needed: 'always', rules: ['tools.rules[0]'] },
      rules: [
        { effect: 'ask', applies: 'always', reason: 'it is gone then', place: { path: 'tools.rules[0]', line: 2 } },
      ],
    })
    expect(world.explain('write', CALLER)).toMatchObject({
      state: 'deferred',
      approval: { needed: 'sometimes', dependsOn: ['text'] },
      rules: [{ effect: 'ask', applies: 'by-arguments', dependsOn: ['text'] }],
    })
  })

  test('that rules leave no call of is hidden, or denied where one rule refuses all', async () => {
    const refuse = (value: string): string =>
      `{ tool: 'manage', effect: 'deny', when: { properties: { action: { const: '${value}' } }, required: ['action'] } }`
    const rules = [`{ tool: 'wipe', effect: 'deny' }`, refuse('open'), refuse('close')]
    const world = await aWorld({ text: `{ tools: { rules: [${rules.join()}] } }` })
    expect(world.explain('manage', CALLER)).toMatchObject({
      state: 'hidden',
      reason: expect.stringContaining('tools.rules[2], /etc/d.json5:1:'),
    })
    expect(world.explain('wipe', CALLER)).toMatchObject({
      state: 'denied',
      decidedBy: { layer: 'rules', entry: 'tools.rules[0]', line: 1 },
    })
  })

  test.each([
    ['broken', { state: 'quarantined', quarantine: { schema: 'input', keyword: '$ref', path: '#/properties/a' } }],
    ['plugin:files:shred', { state: 'optional-not-allowed' }],
    [
      'mcp:web:fetch',
      {
        state: 'unavailable',
        source: { state: 'down', since: '2026-01-02T00:00:00.000Z', lastError: 'connection refused' },
      },
    ],
    ['mcp:web:never_seen', { state: 'unavailable' }],
    ['client:client:open_tab', { state: 'absent', reason: expect.stringContaining('comes with a request') }],
    ['plugin:files:reed', { state: 'absent', nearest: expect.arrayContaining(['plugin:files:read']) }],
  ])('%s', async (selector, expected) => {
    const explained = (await aWorld()).explain(selector, CALLER)
    expect(explained).toMatchObject(expected)
    expect(explained.reason).toMatch(/\w{4}/)
  })

  test.each([
    ['code', 'deferred'],
    ['tools', 'deferred'],
    ['direct', 'direct'],
  ] as const)('in mode %s is %s', async (mode, state) => {
    expect((await aWorld({ mode })).explain('read', CALLER).state).toBe(state)
  })

  test('that programs may not see is callable over HTTP alone', async () => {
    const world = await aWorld({ text: "{ tools: { sandbox: { deny: ['read'] } } }" })
    expect(world.explain('read', CALLER).state).toBe('callable')
    expect(world.explain('write', CALLER).state).toBe('deferred')
  })
})

describe('the whole catalog', () => {
  test('is accounted for, every registered tool with a state and a reason', async () => {
    const world = await aWorld({ text: "{ tools: { deny: ['wipe'] } }" })
    const { registered } = world
    const { tools, counts } = world.explainAll(CALLER)
    expect(tools).toHaveLength(registered)
    expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(registered)
    expect(tools.map(({ id, state }) => [id, state])).toEqual([
      ['mcp:web:fetch', 'unavailable'],
      ['plugin:files:manage', 'deferred'],
      ['plugin:files:read', 'deferred'],
      ['plugin:files:wipe', 'denied'],
      ['plugin:files:write', 'deferred'],
      ['plugin:files:broken', 'quarantined'],
      ['plugin:files:read', 'shadowed'],
      ['plugin:files:shred', 'optional-not-allowed'],
    ])
    expect(tools.every(({ reason }) => reason.length > 3)).toBe(true)
  })
})
