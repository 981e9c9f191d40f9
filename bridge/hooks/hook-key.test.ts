import { expect, test } from 'vitest'
import type { BeforeToolCall, RegisteredHook } from '../hooks.ts'
import { hookKey, hooksBeyond } from './hook-key.ts'

function aHook(more: { plugin?: string; handler?: BeforeToolCall; matcher?: string; priority?: number } = {}) {
  return { event: 'before_tool_call', plugin: 'a', priority: 0, handler: () => {}, ...more } satisfies RegisteredHook
}

test('a handler is the same one after its plugin was loaded again, and another one with other code', () => {
  const blocks = (): BeforeToolCall => () => ({ block: true })
  expect(hookKey(aHook({ handler: blocks() }))).toBe(hookKey(aHook({ handler: blocks() })))
  const others = [
    aHook({ handler: () => undefined }),
    aHook({ handler: blocks(), plugin: 'b' }),
    aHook({ handler: blocks(), matcher: '*' }),
    aHook({ handler: blocks(), priority: 1 }),
  ]
  const keys = [aHook({ handler: blocks() }), ...others].map(hookKey)
  expect(new Set(keys).size).toBe(keys.length)
})

test('of handlers that read alike, those above the number that was asked are new', () => {
  const make =
    (reason: string): BeforeToolCall =>
    () => ({ block: true, blockReason: reason })
  const [one, two] = [aHook({ handler: make('one') }), aHook({ handler: make('two') })]
  expect(hooksBeyond([one, two], [hookKey(one)])).toEqual([two])
  expect(hooksBeyond([one, two], [hookKey(one), hookKey(two)])).toEqual([])
  expect(hooksBeyond([one, two], [])).toEqual([one, two])
  expect(hooksBeyond([one], [hookKey(one), hookKey(two)])).toEqual([])
})
