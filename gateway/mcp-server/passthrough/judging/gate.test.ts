import { expect, test } from 'vitest'
import { aPolicy } from '../../../../policy/testing/a-policy.ts'
import { policySettings } from '../../../../policy/testing/policy-settings.ts'
import type { Gate } from './gate.ts'
import { createGate } from './gate.ts'
import { ALL_OFFERS, NO_LOOK } from '../../testing/all-offers.ts'
import { aView } from '../../../../catalog/testing/a-view.ts'

function aGate(
  lists: { readonly allow?: readonly string[]; readonly deny?: readonly string[] },
  offers = ALL_OFFERS,
): Gate {
  const policy = aPolicy(policySettings(lists))
  return createGate(
    'files',
    { tenant: 't', agent: 'default' },
    {
      viewFor: () => aView([]),
      decide: (tool, caller, input) => policy.of(caller).decide(tool, input),
      offers,
      firstLook: NO_LOOK,
    },
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

test('who asks is no part of what is asked for', () => {
  const gate = aGate({ deny: ['mcp:files:resources/mem://secret/*'] })
  for (const uri of [
    'mem://me@secret/key',
    'mem://me:word@secret/key',
    'mem://a%40b@secret/key',
    'mem://me%40secret/key',
  ]) {
    expect([uri, gate.resource(uri)]).toEqual([uri, false])
  }
  expect(gate.resource('mailto:me@secret')).toBe(true)
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

test.each(['file:///notes/a', 'file:///notes/x/../a', 'file:///notes/%61'])(
  'what screening keeps back is not read as %s, though policy would let it',
  (uri) => {
    const held = ['resources/file:///notes/a', 'prompts/greet']
    const gate = aGate({}, { ...ALL_OFFERS, isWithheld: (_server, name) => held.includes(name) })
    expect([gate.resource(uri), gate.mayRead(uri), gate.mayRead('file:///notes/b')]).toEqual([true, false, true])
    expect([gate.prompt('greet'), gate.mayGet('greet'), gate.mayGet('other')]).toEqual([true, false, true])
  },
)
