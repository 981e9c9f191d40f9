import { expect, test } from 'vitest'
import { aTool } from '../../catalog/testing/a-tool.ts'
import { anIndex } from '../../catalog/testing/an-index.ts'
import { createView } from '../../catalog/view.ts'
import type { RegisteredHook } from '../hooks.ts'
import { aCallPath, aHookRunner } from '../testing/a-call-path.ts'
import { admitCall } from './admit-call.ts'

const tool = aTool()

function admit(hook: RegisteredHook, signal: AbortSignal) {
  const byId = new Map([[tool.id, tool]])
  const snapshot = { revision: 'r', tools: [tool], byId, byName: new Map([[tool.name, [tool]]]) }
  const view = createView({ snapshot, pendingSources: () => [], index: anIndex([]), isVisible: () => true })
  const target = { kind: 'text', text: tool.id } as const
  return admitCall(
    { callId: 'c1', target, args: {}, view, caller: { tenant: 't', agent: 'default' } },
    aCallPath({ current: (id) => byId.get(id), hooks: aHookRunner([hook]) }),
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
