import { expect, test } from 'vitest'
import { aPolicy } from '../../../../policy/testing/a-policy.ts'
import { policySettings } from '../../../../policy/testing/policy-settings.ts'
import type { Gate } from './gate.ts'
import { createGate } from './gate.ts'
import { aView } from '../../testing/a-view.ts'

function aGate(lists: { readonly allow?: readonly string[]; readonly deny?: readonly string[] }): Gate {
  const policy = aPolicy(policySettings(lists))
  return createGate(
    'files',
    { tenant: 't', agent: 'default' },
    { viewFor: () => aView([]), decide: (tool, caller, input) => policy.of(caller).decide(tool, input) },
  )
}

const SPELLINGS = [
  'file:///public/../secret/key',
  'file:///public/%2e%2e/secret/key',
  'file:///public/%252e%252e/secret/key',
  'file:///%73ecret/key',
  'FILE:///secret/key',
  'file:///public\\..\\secret/key',
  'file:///./secret/key',
  'file://localhost/secret/key',
]

test.each(SPELLINGS)('a denied address stays denied as %s', (uri) => {
  const gate = aGate({ deny: ['mcp:files:resources/file:///secret/*'] })
  expect([gate.resource('file:///secret/key'), gate.resource(uri)]).toEqual([false, false])
  expect(gate.resource('file:///public/a')).toBe(true)
})

test.each(SPELLINGS)('an allow list is not left by %s', (uri) => {
  const gate = aGate({ allow: ['mcp:files:resources/file:///public/*'] })
  expect(gate.resource(uri)).toBe(false)
  expect(gate.resource('file:///public/a b%20c/ü')).toBe(true)
})

test('a prompt is judged by its name as it is written', () => {
  const gate = aGate({ deny: ['mcp:files:prompts/admin:*'] })
  expect([gate.prompt('admin:wipe'), gate.prompt('greet')]).toEqual([false, true])
})

test('what is no address, and a template, are judged as they are written', () => {
  const gate = aGate({ deny: ['resources/notes:*'] })
  expect(gate.resource('notes://a/{id}')).toBe(false)
  expect(gate.resource('plain text')).toBe(true)
  expect(gate.resource('file:///{path}/%zz')).toBe(true)
})
