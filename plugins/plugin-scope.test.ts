import { expect, test } from 'vitest'
import { createPluginScope } from './plugin-scope.ts'
import { registerPlugin } from './registering/register-plugin.ts'
import { hookKey } from '../bridge/hooks/hook-key.ts'

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const caller = { tenant: 'default', agent: 'default' }
const soon = <T>(work: () => T): Promise<T> => new Promise((resolve) => setTimeout(() => resolve(work()), 1))

test("what register, a tool, a hook and onClose leave running is the plugin's; what comes after them is nobody's", async () => {
  const scope = createPluginScope()
  const left: Promise<string | undefined>[] = []
  const leave = (): void => void left.push(soon(scope.current))
  const result = await registerPlugin(
    {
      id: 'weather',
      register(api) {
        leave()
        api.registerTool({
          name: 'forecast',
          description: 'Weather.',
          execute: () => {
            leave()
            return 'rain'
          },
        })
        api.on('turn_start', leave)
        api.onClose(leave)
      },
    },
    { config: {}, log, asPlugin: scope.asPlugin },
  )
  if (result.kind === 'failed') throw new Error(result.reason)
  const { registration } = result
  const { tools, hooks } = registration
  await tools[0]?.execute?.({}, { callId: 'c', caller, signal: new AbortController().signal })
  for (const hook of hooks)
    if (hook.event === 'turn_start')
      await hook.handler({ turnId: 't', caller, messages: [] }, new AbortController().signal)
  await registration.close()
  expect(await Promise.all(left)).toEqual(['weather', 'weather', 'weather', 'weather'])
  expect([scope.current(), await soon(scope.current)]).toEqual([undefined, undefined])
})

test('handlers of different words keep different keys', async () => {
  const scope = createPluginScope()
  const result = await registerPlugin(
    {
      id: 'guard',
      register(api) {
        api.on('before_tool_call', () => ({ block: true }))
        api.on('before_tool_call', () => ({ block: false }))
      },
    },
    { config: {}, log, asPlugin: scope.asPlugin },
  )
  if (result.kind === 'failed') throw new Error(result.reason)
  expect(new Set(result.registration.hooks.map(hookKey)).size).toBe(2)
  expect(String(result.registration.hooks[0]?.handler)).toContain('block: true')
})
