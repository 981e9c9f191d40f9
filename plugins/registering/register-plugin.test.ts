import { describe, expect, test } from 'vitest'
import type { HookEvent } from '../../bridge/hooks.ts'
import { HOOK_EVENTS } from '../../bridge/hooks.ts'
import type { Plugin, PluginApi } from '../sdk.ts'
import { registerPlugin } from './register-plugin.ts'

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

function aPlugin(register: (api: PluginApi<unknown>) => void): Plugin {
  return { id: 'guard', register }
}

describe('hooks of a plugin', () => {
  test('of every event are registered with its id, priority and matcher', async () => {
    const plugin = aPlugin((api) => {
      api.on('before_tool_call', () => ({ requireApproval: { title: 'Really?' } }), {
        priority: 5,
        matcher: '*refund*',
      })
      api.on('after_tool_call', ({ outcome }) => void outcome.kind)
      api.on('tool_result', ({ result }) => ({ ...result, isError: true }))
      api.on('before_model_call', ({ params }) => ({ params: { ...params, temperature: 0 } }))
      api.on('after_model_call', ({ text }) => void text)
      api.on('turn_start', () => ({ toolsAllow: ['read_*'] }))
      api.on('turn_end', ({ end }) => void end)
    })
    const result = await registerPlugin(plugin, { config: {}, log })
    if (result.kind === 'failed') throw new Error(result.reason)
    const { hooks } = result.registration
    expect(hooks.map(({ event }) => event)).toEqual([...HOOK_EVENTS])
    expect(hooks[0]).toMatchObject({ plugin: 'guard', priority: 5, matcher: '*refund*' })
    expect(hooks[1]).toMatchObject({ priority: 0 })
  })

  test('on an event that there is not fail the plugin with the events that there are', async () => {
    const misnamed: HookEvent = JSON.parse('"before_turn"')
    const plugin = aPlugin((api) => api.on(misnamed, () => {}))
    expect(await registerPlugin(plugin, { config: {}, log })).toMatchObject({
      kind: 'failed',
      reason: expect.stringMatching(/"before_turn"; there are before_tool_call, .*turn_end/),
    })
  })
})
