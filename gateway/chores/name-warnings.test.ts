import { expect, test } from 'vitest'
import { createCatalog } from '../../catalog/catalog.ts'
import { createSearchIndex } from '../../catalog/search/create-search-index.ts'
import { aTool } from '../../catalog/testing/a-tool.ts'
import { readConfig } from '../config/read-config.ts'
import { createNameWarnings } from './name-warnings.ts'

test('names that match nothing are logged once for a configuration, when the sources have been quiet', async () => {
  const catalog = createCatalog({ index: createSearchIndex(), findFault: () => undefined, now: () => 0 })
  const text =
    "{ tools: { deny: ['plugin:files:wrte', 'group:plugins'] }, mcp: { servers: { web: { command: 'x' } } } }"
  const read = await readConfig(text, { env: {}, directory: '/' })
  if (read.kind === 'invalid') throw new Error('the configuration is meant to be valid')
  const logged: string[] = []
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const warnings = createNameWarnings({
    catalog,
    config: () => read.config,
    log: {
      warn(_fields: object, message: string) {
        logged.push(message)
        if (logged.length === 2) first.resolve()
        if (logged.length === 4) second.resolve()
      },
    },
    quietMs: 1,
  })
  catalog.setTools('plugin', 'files', [aTool({ name: 'write' })])
  catalog.setState('plugin', 'files', { kind: 'ready', sinceMs: 0 })
  await first.promise
  expect(logged).toEqual([
    expect.stringMatching(/^tools\.deny\[1\]: group:plugins is the tools of plugins alone/),
    'tools.deny[0]: "plugin:files:wrte" matches no tool; did you mean "plugin:files:write"?',
  ])
  catalog.setTools('plugin', 'files', [aTool({ name: 'write' }), aTool({ name: 'read' })])
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(logged).toHaveLength(2)
  warnings.restart()
  await second.promise
  warnings.close()
})

test('a source that goes down and comes back does not tell the same slip again', async () => {
  const catalog = createCatalog({ index: createSearchIndex(), findFault: () => undefined, now: () => 0 })
  const read = await readConfig("{ tools: { deny: ['wrte'] } }", { env: {}, directory: '/' })
  if (read.kind === 'invalid') throw new Error('the configuration is meant to be valid')
  const logged: string[] = []
  const told = Promise.withResolvers<void>()
  const log = { warn: (_fields: object, message: string) => (logged.push(message), told.resolve()) }
  const warnings = createNameWarnings({ catalog, config: () => read.config, log, quietMs: 1 })
  catalog.setTools('plugin', 'files', [aTool({ name: 'write' })])
  catalog.setState('plugin', 'files', { kind: 'ready', sinceMs: 0 })
  catalog.setState('plugin', 'broken', { kind: 'down', sinceMs: 0, reason: 'it throws' })
  await told.promise
  catalog.setTools('plugin', 'broken', [aTool({ name: 'read' })])
  catalog.setState('plugin', 'broken', { kind: 'ready', sinceMs: 0 })
  await new Promise((resolve) => setTimeout(resolve, 20))
  warnings.close()
  expect(logged).toEqual([
    'tools.deny[0]: "wrte" matches no tool, unless it is one of plugin:broken, which is down; did you mean "write"?',
  ])
})
