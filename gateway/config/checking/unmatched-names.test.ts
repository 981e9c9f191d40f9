import { expect, test } from 'vitest'
import { policySettings } from '../../../policy/testing/policy-settings.ts'
import type { KnownTools } from './known-tools.ts'
import { UNMATCHED_NAMES } from '../limits.ts'
import { findUnmatchedNames, unmatchedText } from './unmatched-names.ts'

const known: KnownTools = {
  tools: ['mcp:github:delete_repo', 'mcp:github:list_repos', 'plugin:demo:create_invoice'].map((id) => ({
    id,
    name: id.split(':').at(-1) ?? '',
  })),
  pending: [],
  down: [],
}

test.each<readonly [string, string | undefined]>([
  ['delete_rep', 'delete_repo'],
  ['plugin:demo:create_invioce', 'plugin:demo:create_invoice'],
  ['mcp:githb:delete_*', 'mcp:github:delete_*'],
  ['mcp:githb:drop_*', undefined],
  ['mcp:gitlab:*', 'mcp:github:*'],
  ['nothing_like_it', undefined],
  ['no*where', undefined],
])('%s matches nothing; %s is nearest', (name, nearest) => {
  expect(findUnmatchedNames(config([name]), known)).toEqual([
    { path: ['tools', 'deny', 0], name, ...(nearest !== undefined && { nearest }) },
  ])
})

test('what matches in any case, all there will be, and tools of clients are no slips', () => {
  const names = ['*', 'DELETE_repo', 'mcp:GitHub:*', 'list_*', 'client:client:open_tab', 'client:*', '*:create_invoice']
  expect(findUnmatchedNames(config(names), known)).toEqual([])
})

test('a name of a source that is not there yet is not judged', () => {
  const pending = { ...known, pending: ['mcp:files'] }
  expect(findUnmatchedNames(config(['mcp:files:write_file', 'mcp:FILES:*', '*:write', 'write_file']), pending)).toEqual(
    [],
  )
  expect(findUnmatchedNames(config(['mcp:other:write_file']), pending)).toHaveLength(1)
})

test('a source that does not work keeps no slip from being told; what is said to be of it is not judged', () => {
  const down = { ...known, down: ['mcp:files', 'plugin:weather'] }
  expect(findUnmatchedNames(config(['mcp:files:write_file', 'group:weather', 'mcp:f*:x']), down)).toEqual([])
  const [first, second] = findUnmatchedNames(config(['delete_rep', 'mcp:githb:delete_*']), down)
  expect(first && unmatchedText(first)).toBe(
    '"delete_rep" matches no tool, unless it is one of mcp:files or 1 more that are down; did you mean "delete_repo"?',
  )
  expect(second && unmatchedText(second, ' of the running gateway')).toBe(
    '"mcp:githb:delete_*" matches no tool of the running gateway; did you mean "mcp:github:delete_*"?',
  )
  const [only] = findUnmatchedNames(config(['drop_*']), { ...known, down: ['mcp:files'] })
  expect(only && unmatchedText(only)).toBe('"drop_*" matches no tool, unless it is one of mcp:files, which is down')
  // One that may come to work any moment is waited for.
  expect(findUnmatchedNames(config(['delete_rep']), { ...down, pending: ['mcp:mail'] })).toEqual([])
})

test('every kind of list is judged, and very many slips are cut', () => {
  const nix = { allow: [], deny: ['nix'] }
  const also = { ...nix, alsoAllow: ['nix'], byProvider: { openai: { ...nix, alsoAllow: [] } } }
  const settings = policySettings(
    {
      allow: ['delete_repo', 'nix'],
      groups: { own: ['nix'] },
      profiles: { p: nix },
      byProvider: { 'openai/x': { ...nix, alsoAllow: [] } },
      byChannel: { slack: nix },
      toolsBySender: { '*': nix },
      sandbox: nix,
      childAgents: nix,
      mainAgentOnly: ['nix'],
      rules: [{ tool: 'nix', effect: 'ask' }],
    },
    { a: also },
  )
  expect(findUnmatchedNames(settings, known).map(({ path }) => path.join('.'))).toEqual([
    'tools.groups.own.0',
    'tools.profiles.p.deny.0',
    'tools.allow.1',
    'tools.byProvider.openai/x.deny.0',
    'agents.a.tools.alsoAllow.0',
    'agents.a.tools.deny.0',
    'agents.a.tools.byProvider.openai.deny.0',
    'tools.byChannel.slack.deny.0',
    'tools.toolsBySender.*.deny.0',
    'tools.sandbox.deny.0',
    'tools.childAgents.deny.0',
    'tools.mainAgentOnly.0',
    'tools.rules.0.tool',
  ])
  const many = Array.from({ length: 100 }, (_, index) => `unheard_${index}`)
  expect(findUnmatchedNames(config(many), known)).toHaveLength(UNMATCHED_NAMES)
})

test("a group of no plugin or server is a slip; built-in ones, those of one's own and functions of the gateway are none", () => {
  const settings = policySettings({
    groups: { money: ['delete_repo'] },
    deny: ['group:githb', 'group:money', 'group:mcp', 'GROUP:github', 'tool_search_code', 'group:nowhere_near'],
  })
  expect(findUnmatchedNames(settings, known)).toEqual([
    { path: ['tools', 'deny', 0], name: 'group:githb', nearest: 'group:github' },
    { path: ['tools', 'deny', 5], name: 'group:nowhere_near' },
  ])
  expect(findUnmatchedNames(config(['group:files']), { ...known, pending: ['mcp:files'] })).toEqual([])
})

test('ten thousand entries are compared with ten thousand tools in a moment', () => {
  const tools = Array.from({ length: 10_000 }, (_, index) => ({
    id: `mcp:s${index % 100}:t${index}`,
    name: `t${index}`,
  }))
  const entries = tools.map(({ id }, index) => (index % 2 === 0 ? id : `${id.slice(0, -1)}*`))
  expect(findUnmatchedNames(config([...entries, 'mcp:s1:nothing']), { tools, pending: [], down: [] })).toMatchObject([
    { path: ['tools', 'deny', 10_000] },
  ])
})

function config(deny: readonly string[]) {
  return policySettings({ deny })
}
