import { assert, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { offeredPrompt, offeredUri, readOfferedPrompt, readOfferedUri } from './offered-names.ts'

test('names of servers that look alike stay apart, and lead back to where they came from', () => {
  const part = string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
  const tricky = string({ unit: 'binary-ascii', minLength: 1, maxLength: 5 })
  for (const server of [part, tricky]) {
    assert(
      property(server, part, (owner, name) => {
        const one = { server: owner, name }
        expect(readOfferedUri(offeredUri(one))).toEqual(one)
        expect(readOfferedPrompt(offeredPrompt(one))).toEqual(one)
      }),
    )
  }
})

test.each([
  [{ server: 'a', name: '_b' }, 'a___b'],
  [{ server: 'a_', name: 'b' }, 'a%5F__b'],
  [{ server: 'a__b', name: 'c' }, 'a%5F%5Fb__c'],
])('%j is %s', (prompt, text) => {
  expect(offeredPrompt(prompt)).toBe(text)
})

test.each(['', 'greet', '__greet', 'a__', '%zz__a'])('%j is no prompt of a server', (text) => {
  expect(readOfferedPrompt(text)).toBeUndefined()
})

test.each(['', 'mem://a', 'drawbridge:', 'drawbridge:a', 'drawbridge:a:', 'drawbridge::b', 'drawbridge:%zz:a'])(
  '%j is no resource of a server',
  (uri) => {
    expect(readOfferedUri(uri)).toBeUndefined()
  },
)
