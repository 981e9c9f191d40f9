import { expect, test } from 'vitest'
import type { Caller } from '../../../../caller.ts'
import { GIVEN_UP_MAY_ASK_MS, GIVEN_UP_WORK_MAX } from '../../limits.ts'
import { createGivenUpWork } from './given-up-work.ts'

const ada: Caller = { tenant: 't', agent: 'default', channel: 'ops', sender: 'ada' }
const bob: Caller = { ...ada, sender: 'bob' }

function aGivenUp(...ids: readonly (string | number)[]) {
  let nowMs = 0
  const givenUp = createGivenUpWork(() => nowMs)
  const work = { caller: ada, tool: 'wipe' }
  for (const id of ids) givenUp.sent(id, work)
  givenUp.giveUp(work)
  const isOfOthers = (caller: Caller | undefined): boolean => givenUp.ownTools(caller) === undefined
  return { givenUp, isOfOthers, work, after: (ms: number) => (nowMs += ms) }
}

test('what was given up may be asked about to its own caller, and to nobody else', () => {
  const { givenUp } = aGivenUp(1, 2)
  const asked = [{ ...ada, agent: 'other' }, bob, undefined]
  expect(asked.map((caller) => givenUp.ownTools(caller))).toEqual([['wipe'], undefined, undefined])
})

test.each<[string, Partial<Caller>]>([
  ['tenant', { tenant: 'u' }],
  ['channel', { channel: 'dev' }],
  ['session', { session: 's' }],
  ['token', { token: 'tok_2' }],
])('who comes with another %s is another caller', (_part, other) => {
  expect(aGivenUp(1).isOfOthers({ ...ada, ...other })).toBe(true)
})

test('work that nobody in particular wanted may be asked about to nobody', () => {
  const { givenUp, isOfOthers } = aGivenUp()
  const work = { caller: undefined }
  givenUp.sent(1, work)
  givenUp.giveUp(work)
  expect(isOfOthers(ada)).toBe(true)
})

test('a late answer ends it, for each request of its own', () => {
  const { givenUp, isOfOthers } = aGivenUp(1, 'two')
  givenUp.answered(1)
  expect(isOfOthers(bob)).toBe(true)
  givenUp.answered('two')
  expect(isOfOthers(bob)).toBe(false)
})

test('what was answered in time, or cannot go on, is nothing that was given up', () => {
  const { givenUp, isOfOthers, work } = aGivenUp()
  givenUp.sent(1, work)
  givenUp.answered(1)
  givenUp.sent(2, work)
  givenUp.forget(work)
  givenUp.giveUp(work)
  expect(isOfOthers(bob)).toBe(false)
})

test('a server that sends no answer to what was cancelled may ask others again after a time', () => {
  const { isOfOthers, after } = aGivenUp(1)
  after(GIVEN_UP_MAY_ASK_MS - 1)
  expect(isOfOthers(bob)).toBe(true)
  after(1)
  expect(isOfOthers(bob)).toBe(false)
})

test('with more of it than is remembered a question may be anybody’s, for as long', () => {
  const { isOfOthers, after } = aGivenUp(...Array.from({ length: GIVEN_UP_WORK_MAX + 1 }, (_, id) => id))
  expect(isOfOthers(ada)).toBe(true)
  after(GIVEN_UP_MAY_ASK_MS)
  expect(isOfOthers(ada)).toBe(false)
})
