import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatPath, parsePath, valueAt } from './config-path.ts'

describe('a path', () => {
  test.each([
    ['tools.toolSearch', ['tools', 'toolSearch']],
    ['mcp.servers.files.args[0]', ['mcp', 'servers', 'files', 'args', 0]],
    ['agents["my agent"].model', ['agents', 'my agent', 'model']],
    [`agents['it\\'s'].model`, ['agents', "it's", 'model']],
    [
      String.raw`models.providers.openai.models["gpt-5.4\"\u0041"]`,
      ['models', 'providers', 'openai', 'models', 'gpt-5.4"A'],
    ],
    ['["tools"].deny', ['tools', 'deny']],
  ])('%s', (text, path) => {
    expect(parsePath(text)).toEqual({ kind: 'path', path })
  })
  test.each(['a..b', '.a', 'a.', 'a[', 'a[x]', 'a["x]', 'a b', 'a[-1]', 'a[0]b', 'a["\\q"]', '['])(
    '%s is refused',
    (text) => {
      expect(parsePath(text)).toMatchObject({
        kind: 'invalid',
        message: expect.stringContaining(`path "${text}" cannot be read from`),
      })
    },
  )
  test('the empty one is refused with an example', () => {
    expect(parsePath('')).toMatchObject({ message: 'the path is empty; give one, e.g. tools.toolSearch' })
  })
  test.each(['__proto__.x', 'a.constructor', 'a["prototype"]', "a['__proto__'][0]"])('%s is refused', (text) => {
    expect(parsePath(text)).toMatchObject({ kind: 'invalid', message: expect.stringContaining('which is refused') })
  })
  test('of any keys is read back from its own text', () => {
    const key = fc.oneof(fc.string({ unit: 'binary' }), fc.nat({ max: 999_999 }))
    const allowed = key.filter((each) => !['__proto__', 'constructor', 'prototype'].includes(String(each)))
    fc.assert(
      fc.property(fc.array(allowed, { minLength: 1, maxLength: 5 }), (path) => {
        expect(parsePath(formatPath(path))).toEqual({ kind: 'path', path })
      }),
    )
  })
})

test('only own keys and entries are values', () => {
  expect(valueAt({ a: [1, { b: null }] }, ['a', 1, 'b'])).toBeNull()
  expect(valueAt({ a: [] }, ['a', 'length'])).toBeUndefined()
  expect(valueAt({}, ['toString'])).toBeUndefined()
  expect(valueAt({ a: 'text' }, ['a', 0])).toBeUndefined()
})
