import { expect, test } from 'vitest'
import { createDirectPresentation } from '../../bridge/presentation/direct.ts'
import { clientTools } from '../../catalog/sources/client.ts'
import { aView } from '../../catalog/testing/a-view.ts'
import { aPolicy } from '../../policy/testing/a-policy.ts'
import { policySettings } from '../../policy/testing/policy-settings.ts'
import type { PolicyRule } from '../../policy/settings.ts'
import { guardClientCalls } from './guard-client-calls.ts'

/** A model that is shown the client's own `open_tab`. */
function handle(rules: readonly PolicyRule[], url: string) {
  const policy = aPolicy(policySettings({ rules, approvals: 'all' })).of({ agent: 'default' })
  const brought = clientTools([{ name: 'open_tab', description: '', inputSchema: { type: 'object' } }])
  const view = aView([], { clientTools: brought })
  const direct = createDirectPresentation({
    view,
    createSurface: () => {
      throw new Error('a call of the client is not made here')
    },
    callText: () => '',
  })
  const guarded = guardClientCalls(direct, view, (tool, input) => policy.decide(tool, input))
  return guarded.handle({ id: 'c', name: 'open_tab', arguments: JSON.stringify({ url }) }, new AbortController().signal)
}

const inside: PolicyRule = {
  tool: 'group:client',
  effect: 'deny',
  reason: 'pages inside are not opened',
  when: { properties: { url: { pattern: '^http://10\\.' } }, required: ['url'] },
}

test('a rule refuses a call that the client would have made, in its own words', async () => {
  const result = await handle([inside], 'http://10.0.0.1/')
  expect(result).toMatchObject({ kind: 'result', isError: true, calls: [] })
  expect(JSON.stringify(result)).toContain('pages inside are not opened')
})

test('what would have to be asked about goes to the client, which can ask itself', async () => {
  expect(await handle([inside], 'https://example.com/')).toEqual({
    kind: 'client-call',
    name: 'open_tab',
    arguments: { url: 'https://example.com/' },
  })
})
