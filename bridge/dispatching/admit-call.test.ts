import { expect, test } from 'vitest'
import { aTool } from '../../catalog/testing/a-tool.ts'
import { aView } from '../../catalog/testing/a-view.ts'
import type { RegisteredHook } from '../hooks.ts'
import { aCallPath, aHookRunner } from '../testing/a-call-path.ts'
import { admitCall } from './admit-call.ts'

const tool = aTool()

function admit(hook: RegisteredHook, signal: AbortSignal) {
  const target = { kind: 'text', text: tool.id } as const
  return admitCall(
    { callId: 'c1', target, args: {}, view: aView([tool]), caller: { tenant: 't', agent: 'default' } },
    aCallPath({ current: () => tool, hooks: aHookRunner([hook]) }),
    signal,
  )
}

test('a call that is cancelled while a handler thinks about it was cancelled, and not refused by the handler', async () => {
  const stop = new AbortController()
  const handler = (): Promise<never> => new Promise(() => {})
  const admission = admit({ event: 'before_tool_call', plugin: 'slow', priority: 0, handler }, stop.signal)
  stop.abort()
  expect(await admission).toMatchObject({
    kind: 'refused',
    outcome: { kind: 'cancelled', effect: 'none', message: `the call of "${tool.id}" was cancelled before it began` },
  })
})

test.each([
  [
    { quarantined: () => [{ id: 'mcp:files:read', safeName: 'files__read' }] },
    '"mcp:files:read" is kept in quarantine and was not called',
  ],
  [
    {
      pendingSources: () =>
        [{ source: 'mcp', owner: 'files', state: { kind: 'connecting', sinceMs: 0 }, toolCount: 0 }] as const,
    },
    'MCP server "files" is still connecting, so that "mcp:files:read" is not known yet; nothing was run',
  ],
])('a call of a tool that is not to be had now is unavailable, and no other is suggested', async (deps, message) => {
  const target = { kind: 'text', text: 'mcp:files:read' } as const
  const request = { callId: 'c1', target, args: {}, view: aView([], deps), caller: { tenant: 't', agent: 'default' } }
  const admission = await admitCall(request, aCallPath({}), new AbortController().signal)
  const outcome = { kind: 'unavailable', effect: 'none', message: expect.stringContaining(message) }
  expect(admission).toMatchObject({ kind: 'refused', outcome })
})
