import { expect, test } from 'vitest'
import { UNMATCHED_NAMES } from './limits.ts'
import type { KnownTools } from './unmatched-names.ts'
import { findUnmatchedNames } from './unmatched-names.ts'

const known: KnownTools = {
  tools: ['mcp:github:delete_repo', 'mcp:github:list_repos', 'plugin:demo:create_invoice'].map((id) => ({
    id,
    name: id.split(':').at(-1) ?? '',
  })),
  pending: [],
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

test('lists of agents are judged too, and very many slips are cut', () => {
  const agents = { default: agent({ allow: ['delete_repo', 'nix'] }), a: agent({ deny: ['nix'] }) }
  expect(findUnmatchedNames({ ...config([]), agents }, known).map(({ path }) => path)).toEqual([
    ['agents', 'default', 'tools', 'allow', 1],
    ['agents', 'a', 'tools', 'deny', 0],
  ])
  const many = Array.from({ length: 100 }, (_, index) => `unheard_${index}`)
  expect(findUnmatchedNames(config(many), known)).toHaveLength(UNMATCHED_NAMES)
})

function config(deny: readonly string[]) {
  const tools = { toolSearch: true, allow: [], deny: [...deny], search: { learn: true } }
  return { tools, agents: {} }
}

function agent(tools: { readonly allow?: readonly string[]; readonly deny?: readonly string[] }) {
  return { instructions: '', tools: { allow: [...(tools.allow ?? [])], deny: [...(tools.deny ?? [])] } }
}
