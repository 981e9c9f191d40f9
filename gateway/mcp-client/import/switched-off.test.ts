import { expect, test } from 'vitest'
import type { JsonObject } from '../../../catalog/json.ts'
import { readForeignConfig } from './read-foreign-config.ts'

function read(value: JsonObject, env: Readonly<Record<string, string>> = {}) {
  const found = readForeignConfig(value, { env, workspaceFolder: '/home/ada/space', homeFolder: '/home/ada' })
  if (found === undefined) throw new Error('no servers were found')
  return { ...found, byName: Object.fromEntries(found.servers.map(({ name, config }) => [name, config])) }
}

test.each<JsonObject>([
  { disabled: 'True' },
  { disabled: 1 },
  { disabled: '${OFF}' },
  { enabled: 'off' },
  { isActive: 0 },
  { command: { path: 'x', enabled: true }, enabled: false },
  { command: { path: 'x', disabled: true }, disabled: false },
])('nobody starts what says %j', (said) => {
  expect(read({ mcpServers: { a: { command: 'x', ...said } } })).toMatchObject({
    servers: [],
    skipped: [{ name: 'a' }],
  })
})

test.each<JsonObject>([
  { disabled: false },
  { disabled: '' },
  { disabled: 'no' },
  { disabled: ['one_tool'] },
  { enabled: 1 },
])('what says %j is taken', (said) => {
  expect(read({ mcpServers: { a: { command: 'x', ...said } } }).byName).toEqual({ a: { command: 'x' } })
})

test.each<[string, JsonObject]>([
  ['Claude Code', { disabledMcpServers: ['off'] }],
  ['Claude Code of what a project brings', { disabledMcpjsonServers: ['off'] }],
  ['Gemini CLI', { mcp: { excluded: ['off'] } }],
  ['Gemini CLI, that lists the others', { mcp: { allowed: ['on'], excluded: [] } }],
  ['older Gemini CLI', { excludeMCPServers: ['off'] }],
  ['older Gemini CLI, that lists the others', { allowMCPServers: ['on'] }],
])('what is switched off by its name beside the servers stays off: %s', (_client, settings) => {
  const mcpServers = { on: { command: 'x' }, off: { command: 'y' } }
  const { byName, skipped } = read({ mcpServers, ...settings })
  expect([byName, skipped.map(({ name }) => name)]).toEqual([{ on: { command: 'x' } }, ['off']])
  const ofProject = read({ projects: { '/home/ada/space': { mcpServers, ...settings } } })
  expect([ofProject.byName, ofProject.skipped.map(({ name }) => name)]).toEqual([{ on: { command: 'x' } }, ['off']])
})
