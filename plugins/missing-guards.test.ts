import { expect, test } from 'vitest'
import { aHookRunner } from '../bridge/testing/a-call-path.ts'
import { aTool } from '../catalog/testing/a-tool.ts'
import { createSchemaChecker } from '../catalog/schema.ts'
import { createPluginHost } from './host.ts'
import { definePlugin } from './sdk.ts'

test.each([
  ['is required and fails to register', { entry: { required: true }, fails: true, kind: 'block' }],
  ['is required and runs', { entry: { required: true }, fails: false, kind: 'go' }],
  ['is required and turned off', { entry: { required: true, enabled: false }, fails: true, kind: 'go' }],
  ['is not required and fails', { entry: {}, fails: true, kind: 'go' }],
] as const)('where a plugin %s, calls are judged so', async (_title, { entry, fails, kind }) => {
  const guard = definePlugin({
    id: 'guard',
    register() {
      if (fails) throw new Error('no license')
    },
  })
  const host = createPluginHost(
    { paths: [], entries: { guard: entry } },
    {
      bundled: [guard],
      importModule: () => Promise.reject(new Error('nothing is imported here')),
      schemas: createSchemaChecker(),
      isOptionalToolAllowed: () => true,
      logFor: () => ({ debug() {}, info() {}, warn() {}, error() {} }),
      now: () => 0,
    },
  )
  host.start({ setTools() {}, async taken() {}, setState() {}, removeOwner() {} })
  await host.settled()
  const runner = aHookRunner(host.hooks())
  const tool = aTool()
  const { id: toolId, source, owner, name } = tool
  const event = { callId: 'c', toolId, source, owner, name, params: {}, caller: { tenant: 't', agent: 'default' } }
  const verdict = await runner.before(tool, event, new AbortController().signal)
  expect(verdict.kind).toBe(kind)
  if (verdict.kind === 'block') expect(verdict.reason).toContain('"guard"')
  await host.close()
})
