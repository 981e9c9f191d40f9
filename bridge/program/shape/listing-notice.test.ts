import { expect, test } from 'vitest'
import { conditionNotice } from './condition-notice.ts'
import { listingNotice } from './listing-notice.ts'

test.each([
  'return Object.keys(tools)',
  'return JSON.stringify(tools, null, 2)',
  'const names = []\nfor (const name in tools) names.push(name)\nreturn names',
])('who lists the bridge is told that its tools are found by search: %s', (code) => {
  expect(listingNotice(code)?.code).toBe('tools-listed')
})

test.each([
  'return Object.keys(tools.x)',
  'for (const tool of tools) f()',
  "'math' in tools",
  'Object.keys(toolsByName)',
])('anything else is no listing: %s', (code) => expect(listingNotice(code)).toBeUndefined())

test('a test by an async function is told to be always true', () => {
  expect(conditionNotice('return list.filter(async (x) => await f(x))')?.message).toContain('list.filter((_, index)')
  expect(conditionNotice('return list.some( async function (x) { return false })')?.code).toBe('promise-as-condition')
  expect(conditionNotice('return Promise.all(list.map(async (x) => f(x)))')).toBeUndefined()
})
