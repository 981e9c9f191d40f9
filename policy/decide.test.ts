import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aTool } from '../catalog/testing/a-tool.ts'
import type { SourceKind } from '../catalog/tool-id.ts'
import type { Tool } from '../catalog/tool.ts'
import type { Verdict } from './decide.ts'
import type { PolicyCaller } from './policy-caller.ts'
import type { PolicySettings } from './settings.ts'
import { aPolicy } from './testing/a-policy.ts'
import { NO_LISTS, aScope, policySettings } from './testing/policy-settings.ts'

const CALLER: PolicyCaller = { agent: 'default' }

function toolOf(id: string, annotations: Tool['annotations'] = {}): Tool {
  const [source = '', owner = '', name = ''] = id.split(':')
  return aTool({ source: sourceOf(source), owner, name, annotations })
}

function sourceOf(text: string): SourceKind {
  if (text === 'plugin' || text === 'mcp' || text === 'client') return text
  throw new TypeError(`no source ${text}`)
}

function verdict(settings: PolicySettings, id: string, caller: Partial<PolicyCaller> = {}): Verdict {
  return aPolicy(settings)
    .of({ ...CALLER, ...caller })
    .verdict(toolOf(id))
}

const kindOf = (...asked: Parameters<typeof verdict>): Verdict['kind'] => verdict(...asked).kind

describe('lists', () => {
  test('without any every tool is allowed', () => {
    expect(verdict(policySettings(), 'plugin:a:b')).toEqual({ kind: 'allow' })
  })

  test('a denied tool is told with layer, entry and the place of the entry', () => {
    const settings = policySettings({ deny: ['nothing', 'mcp:github:delete_*'] })
    expect(verdict(settings, 'mcp:github:delete_repo')).toEqual({
      kind: 'deny',
      layer: 'global',
      rule: 'mcp:github:delete_*',
      path: ['tools', 'deny', 1],
    })
    expect(verdict(settings, 'mcp:github:list_repos')).toEqual({ kind: 'allow' })
  })

  test('deny wins over allow in the same scope', () => {
    expect(kindOf(policySettings({ allow: ['*'], deny: ['wipe'] }), 'plugin:admin:wipe')).toBe('deny')
  })

  test('a non-empty allow list blocks the rest, an empty one blocks nothing', () => {
    expect(verdict(policySettings({ allow: ['plugin:demo:*'] }), 'plugin:other:x')).toEqual({
      kind: 'deny',
      layer: 'global',
      rule: 'allow',
      path: ['tools', 'allow'],
    })
    expect(kindOf(policySettings({ allow: [] }), 'plugin:other:x')).toBe('allow')
  })

  test('entries match ids and names in any case, and white space around them does not count', () => {
    const settings = policySettings({ deny: ['PLUGIN:Admin:*', 'Read_Secret', ' purge '] })
    for (const id of ['plugin:admin:wipe', 'mcp:vault:read_secret', 'mcp:vault:READ_SECRET', 'mcp:x:Purge'])
      expect(kindOf(settings, id)).toBe('deny')
  })

  test('the first entry that matches is named, whatever kind of entry it is', () => {
    const settings = policySettings({ deny: ['group:mcp', 'wip*', 'wipe', 'mcp:a:wipe'] })
    expect(verdict(settings, 'mcp:a:wipe')).toMatchObject({ rule: 'group:mcp' })
    expect(verdict(settings, 'plugin:a:wipe')).toMatchObject({ rule: 'wip*', path: ['tools', 'deny', 1] })
  })
})

describe('groups', () => {
  test('plugins are plugin tools alone, and a plugin or server is a group of its own', () => {
    const deny = (entry: string): PolicySettings => policySettings({ deny: [entry] })
    const ids = ['plugin:a:x', 'mcp:a:x', 'mcp:b:x', 'client:client:x'] as const
    const denied = (entry: string) => ids.filter((id) => kindOf(deny(entry), id) === 'deny')
    expect(denied('group:plugins')).toEqual(['plugin:a:x'])
    expect(denied('GROUP:MCP')).toEqual(['mcp:a:x', 'mcp:b:x'])
    expect(denied('group:client')).toEqual(['client:client:x'])
    expect(denied('group:A')).toEqual(['plugin:a:x', 'mcp:a:x'])
    expect(denied('group:nothing')).toEqual([])
  })

  test("a group of one's own may hold others, and is blamed by the entry that names it", () => {
    const groups = { money: ['plugin:payments:*', 'group:books'], books: ['mcp:ledger:*'] }
    const settings = policySettings({ groups, deny: ['group:money'] })
    expect(verdict(settings, 'mcp:ledger:post')).toMatchObject({ kind: 'deny', rule: 'group:money' })
    expect(kindOf(settings, 'plugin:payments:refund')).toBe('deny')
    expect(kindOf(settings, 'plugin:other:refund')).toBe('allow')
  })

  test('a circle of groups ends', () => {
    const groups = { a: ['group:b', 'x'], b: ['group:a', 'y'] }
    expect(kindOf(policySettings({ groups, deny: ['group:a'] }), 'plugin:p:y')).toBe('deny')
  })
})

describe('profiles', () => {
  const READS = { readOnlyHint: true }
  const under = (tools: Partial<PolicySettings['tools']>, tool: Tool) =>
    aPolicy(policySettings(tools)).of(CALLER).verdict(tool).kind

  test.each([
    ['minimal', 'client:client:x', {}, 'allow'],
    ['minimal', 'plugin:a:x', READS, 'deny'],
    ['readonly', 'plugin:a:x', READS, 'allow'],
    ['readonly', 'plugin:a:x', {}, 'deny'],
    ['nondestructive', 'plugin:a:x', {}, 'deny'],
    ['nondestructive', 'plugin:a:x', { destructiveHint: false }, 'allow'],
    ['nondestructive', 'plugin:a:x', READS, 'allow'],
    ['full', 'mcp:a:x', {}, 'allow'],
    ['nobody-made-this', 'mcp:a:x', READS, 'deny'],
  ] as const)('%s: %s that says %j is %s', (...[profile, id, annotations, expected]) => {
    expect(under({ profile }, toolOf(id, annotations))).toBe(expected)
  })

  test('alsoAllow adds to the profile of its scope, and to nothing else', () => {
    expect(under({ profile: 'readonly', alsoAllow: ['write'] }, toolOf('plugin:a:write'))).toBe('allow')
    expect(under({ profile: 'readonly', alsoAllow: ['write'], deny: ['write'] }, toolOf('plugin:a:write'))).toBe('deny')
    expect(under({ alsoAllow: ['write'] }, toolOf('plugin:a:read'))).toBe('allow')
  })

  test("a profile of one's own is lists and what a tool says of itself, both", () => {
    const profiles = { desk: { allow: ['plugin:desk:*'], deny: ['*:close'], annotations: { openWorldHint: false } } }
    const local = { openWorldHint: false }
    const tools = { profiles, profile: 'desk' }
    expect(under(tools, toolOf('plugin:desk:read', local))).toBe('allow')
    expect(under(tools, toolOf('plugin:desk:read'))).toBe('deny')
    expect(under(tools, toolOf('plugin:other:read', local))).toBe('deny')
    expect(under(tools, toolOf('plugin:desk:close', local))).toBe('deny')
  })
})

describe('layers', () => {
  const settings = policySettings(
    {
      profiles: { all: { allow: ['*'], deny: ['by_profile'] }, half: { allow: [], deny: ['by_provider_profile'] } },
      profile: 'all',
      deny: ['by_global'],
      byProvider: {
        OpenAI: { ...aScope(), profile: 'half', deny: ['by_provider'] },
        'openai/gpt-x': { ...aScope(), deny: ['by_model'] },
      },
      byChannel: { slack: { ...NO_LISTS, deny: ['by_channel'] }, '*': { ...NO_LISTS, deny: ['by_no_channel'] } },
      toolsBySender: { 'id:U1': { ...NO_LISTS, deny: ['by_sender'] } },
      sandbox: { ...NO_LISTS, deny: ['by_sandbox'] },
      childAgents: { ...NO_LISTS, deny: ['by_child'] },
      mainAgentOnly: ['by_main_only'],
    },
    {
      support: {
        deny: ['by_agent'],
        byProvider: { openai: { ...aScope(), deny: ['by_agent_provider'] } },
      },
    },
  )
  const caller: PolicyCaller = {
    agent: 'support',
    provider: 'openai',
    model: 'gpt-x',
    channel: 'Slack',
    sender: 'U1',
    isVouched: true,
    origin: 'program',
    parentAgent: 'boss',
    toolsAllow: [['by_*', 'ok']],
  }

  test.each([
    ['by_profile', 'profile', ['tools', 'profiles', 'all', 'deny', 0]],
    ['by_provider_profile', 'provider-profile', ['tools', 'profiles', 'half', 'deny', 0]],
    ['by_global', 'global', ['tools', 'deny', 0]],
    ['by_provider', 'provider', ['tools', 'byProvider', 'OpenAI', 'deny', 0]],
    ['by_model', 'provider', ['tools', 'byProvider', 'openai/gpt-x', 'deny', 0]],
    ['by_agent', 'agent', ['agents', 'support', 'tools', 'deny', 0]],
    ['by_agent_provider', 'agent-provider', ['agents', 'support', 'tools', 'byProvider', 'openai', 'deny', 0]],
    ['by_channel', 'channel', ['tools', 'byChannel', 'slack', 'deny', 0]],
    ['by_sender', 'sender', ['tools', 'toolsBySender', 'id:U1', 'deny', 0]],
    ['by_sandbox', 'sandbox', ['tools', 'sandbox', 'deny', 0]],
    ['by_child', 'child-agent', ['tools', 'childAgents', 'deny', 0]],
    ['by_main_only', 'child-agent', ['tools', 'mainAgentOnly', 0]],
    ['unlisted', 'session', ['toolsAllow']],
  ])('%s is decided by the layer %s', (name, layer, path) => {
    const own = aPolicy(settings).of(caller)
    expect(own.verdict(toolOf(`plugin:a:${name}`))).toMatchObject({ kind: 'deny', layer, path })
    expect(own.verdict(toolOf('plugin:a:ok'))).toEqual({ kind: 'allow' })
  })

  test('they are asked in the order in which the configuration is documented', () => {
    const layers = aPolicy(settings).of(caller).judgements(toolOf('plugin:a:ok'))
    expect(layers.map(({ layer }) => layer)).toEqual([
      'profile',
      'provider-profile',
      'global',
      'provider',
      'provider',
      'agent',
      'agent-provider',
      'channel',
      'sender',
      'sandbox',
      'child-agent',
      'child-agent',
      'session',
    ])
  })

  test('those of others do not apply', () => {
    const own = aPolicy(settings).of(CALLER)
    const free = [
      'by_provider',
      'by_model',
      'by_agent',
      'by_channel',
      'by_sender',
      'by_sandbox',
      'by_child',
      'unlisted',
    ]
    for (const name of free) expect([name, own.verdict(toolOf(`plugin:a:${name}`)).kind]).toEqual([name, 'allow'])
    // Whoever names no channel is among "all others".
    expect(own.verdict(toolOf('plugin:a:by_no_channel')).kind).toBe('deny')
  })

  test('an agent that was taken out of the configuration may do nothing', () => {
    expect(verdict(settings, 'plugin:a:ok', { agent: 'gone' })).toMatchObject({ kind: 'deny', layer: 'agent' })
    expect(kindOf(settings, 'plugin:a:ok', { agent: '__proto__' })).toBe('deny')
  })

  test('an empty list of a request allows nothing', () => {
    expect(kindOf(settings, 'plugin:a:ok', { toolsAllow: [[]] })).toBe('deny')
    expect(kindOf(settings, 'plugin:a:ok', { toolsAllow: [['ok'], ['other']] })).toBe('deny')
  })

  test('callers to whom the same layers apply share one policy', () => {
    const policy = aPolicy(settings)
    expect(policy.of({ ...CALLER, sender: 'a' })).toBe(policy.of({ ...CALLER, sender: 'b' }))
    expect(policy.of(caller)).toBe(policy.of({ ...caller }))
    expect(policy.of(CALLER)).not.toBe(policy.of({ ...CALLER, sender: 'U1' }))
    expect(policy.of({ ...CALLER, agent: 'x' })).not.toBe(policy.of({ ...CALLER, agent: 'y' }))
  })
})

describe('senders', () => {
  const scopes = {
    'channel:Slack:U1': { ...NO_LISTS, deny: ['most'] },
    'id:U1': { ...NO_LISTS, deny: ['id'] },
    'username:Ann': { ...NO_LISTS, deny: ['name'] },
    '*': { ...NO_LISTS, deny: ['rest'] },
  }
  const denied = (caller: Partial<PolicyCaller>) =>
    ['most', 'id', 'name', 'rest'].filter(
      (name) => kindOf(policySettings({ toolsBySender: scopes }), `plugin:a:${name}`, caller) === 'deny',
    )

  test('of what a channel vouches for the most exact entry applies, and it alone', () => {
    const vouched = (caller: Partial<PolicyCaller>) => denied({ channel: 'irc', isVouched: true, ...caller })
    expect(vouched({ channel: 'slack', sender: 'U1', senderName: 'ann' })).toEqual(['most'])
    expect(vouched({ sender: 'U1', senderName: 'ann' })).toEqual(['id'])
    expect(vouched({ sender: 'U9', senderName: '@ANN' })).toEqual(['name'])
    expect(vouched({ sender: 'u1' })).toEqual(['rest'])
    expect(vouched({ sender: 'Ann' })).toEqual(['name'])
    expect(vouched({ sender: 'Ann', senderName: 'Bob' })).toEqual(['rest'])
    expect(vouched({})).toEqual(['rest'])
  })

  test('of what nobody vouches for all that name the sender apply, and what holds for all others', () => {
    expect(denied({ channel: 'slack', sender: 'U1', senderName: 'ann' })).toEqual(['most', 'id', 'name', 'rest'])
    expect(denied({ sender: 'U1' })).toEqual(['id', 'rest'])
    expect(denied({ sender: 'Ann', senderName: 'Bob' })).toEqual(['name', 'rest'])
    expect(denied({})).toEqual(['rest'])
  })

  test('a channel that nobody vouches for takes nobody out of all others', () => {
    const settings = policySettings({
      byChannel: { ops: { ...NO_LISTS, deny: ['x'] }, '*': { ...NO_LISTS, allow: ['read', 'x'] } },
    })
    expect(kindOf(settings, 'plugin:a:wipe', { channel: 'Ops' })).toBe('deny')
    expect(kindOf(settings, 'plugin:a:x', { channel: 'Ops' })).toBe('deny')
    expect(kindOf(settings, 'plugin:a:read', { channel: 'Ops' })).toBe('allow')
    expect(kindOf(settings, 'plugin:a:wipe', { channel: 'ops', isVouched: true })).toBe('allow')
  })
})

describe('functions of the gateway', () => {
  const denies = (...deny: readonly string[]) =>
    aPolicy(policySettings({ deny })).of(CALLER).deniesFunctions(['tool_search_code'])?.text

  test('are denied by name, not by an entry about tools, and not by an allow list', () => {
    expect(denies('Tool_Search_Code')).toBe('Tool_Search_Code')
    expect(denies('x', 'tool_search*')).toBe('tool_search*')
    expect(denies('*search*', '*', 'group:plugins')).toBeUndefined()
    const allow = aPolicy(policySettings({ allow: ['plugin:demo:*'] })).of(CALLER)
    expect(allow.deniesFunctions(['tool_search_code'])).toBeUndefined()
  })
})

describe('properties', () => {
  const ids = ['plugin:a:x', 'plugin:a:y', 'mcp:b:x', 'mcp:b:delete_z', 'client:client:open']
  const entry = fc.constantFrom(
    '*',
    'plugin:*',
    '*:x',
    'mcp:b:*',
    'delete_*',
    'X',
    'open',
    'group:mcp',
    'group:A',
    '*z',
  )
  const entries = fc.array(entry, { maxLength: 3 })

  test('a further layer only narrows', () => {
    const lists = fc.record({ allow: entries, deny: entries })
    fc.assert(
      fc.property(lists, lists, fc.tuple(entries, fc.constantFrom(...ids)), (scope, extra, [toolsAllow, id]) => {
        const base = { ...scope, byChannel: {}, toolsBySender: {} }
        const before = kindOf(policySettings(base), id)
        const more = policySettings({ ...base, sandbox: extra }, { default: { ...extra, profile: 'full' } })
        const after = [
          kindOf(more, id),
          kindOf(more, id, { origin: 'program' }),
          kindOf(policySettings(base), id, { toolsAllow: [toolsAllow] }),
        ]
        return before === 'allow' || after.every((kind) => kind === 'deny')
      }),
      { numRuns: 2_000 },
    )
  })

  test('no claim of channel, sender or parent agent gives more than its absence', () => {
    const lists = fc.record({ allow: entries, deny: entries })
    const senders = fc.constantFrom('*', 'id:a', 'id:b', 'username:a', 'username:b', 'channel:c:a', 'channel:C:b')
    const channels = fc.constantFrom('*', 'c', 'd')
    const said = fc.record(
      {
        channel: fc.constantFrom('c', 'C', 'd', '*', 'e'),
        sender: fc.constantFrom('a', 'b', '*'),
        senderName: fc.constantFrom('A', '@b', 'x'),
        parentAgent: fc.constantFrom('default', 'boss', '*'),
      },
      { requiredKeys: [] },
    )
    const less = said.chain((all) => fc.tuple(fc.constant(all), fc.subarray(Object.entries(all))))
    const scopes = fc.record({
      byChannel: fc.dictionary(channels, lists),
      toolsBySender: fc.dictionary(senders, lists),
      childAgents: lists,
      mainAgentOnly: entries,
    })
    fc.assert(
      fc.property(scopes, less, fc.constantFrom(...ids), (tools, [all, some], id) => {
        const settings = policySettings(tools)
        return kindOf(settings, id, all) === 'deny' || kindOf(settings, id, Object.fromEntries(some)) === 'allow'
      }),
      { numRuns: 2_000 },
    )
  })

  test('neither the order nor the spelling of entries changes what is allowed', () => {
    const spell = fc.constantFrom(
      (text: string) => text.toUpperCase(),
      (text: string) => ` ${text} `,
      (text: string) => text.replace('*', '**'),
    )
    const shuffled = entries.chain((list) =>
      fc.record({
        list: fc.constant(list),
        other: fc
          .shuffledSubarray(list, { minLength: list.length })
          .chain((order) => fc.tuple(...order.map((text) => spell.map((change) => change(text))))),
      }),
    )
    fc.assert(
      fc.property(shuffled, shuffled, fc.constantFrom(...ids), (allow, deny, id) => {
        const one = kindOf(policySettings({ allow: allow.list, deny: deny.list }), id)
        return one === kindOf(policySettings({ allow: [...allow.other], deny: [...deny.other] }), id)
      }),
      { numRuns: 2_000 },
    )
  })
})
