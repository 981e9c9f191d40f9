import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compilePolicy } from './decide.ts'
import { matchesPattern } from './pattern.ts'

const tool = (id: string): { readonly id: string; readonly name: string } => ({ id, name: id.split(':').at(-1) ?? id })

describe('policy', () => {
  test('without layers every tool is allowed', () => {
    expect(compilePolicy([])(tool('plugin:a:b'))).toEqual({ kind: 'allow' })
  })

  test('a denied tool is named with the layer and the entry that decided', () => {
    const decide = compilePolicy([{ name: 'tools', deny: ['mcp:github:delete_*'] }])
    expect(decide(tool('mcp:github:delete_repo'))).toEqual({
      kind: 'deny',
      layer: 'tools',
      rule: 'mcp:github:delete_*',
    })
    expect(decide(tool('mcp:github:list_repos'))).toEqual({ kind: 'allow' })
  })

  test('deny wins over allow in the same layer', () => {
    const decide = compilePolicy([{ name: 'tools', allow: ['*'], deny: ['wipe'] }])
    expect(decide(tool('plugin:admin:wipe')).kind).toBe('deny')
  })

  test('a non-empty allow list blocks the rest, an empty one blocks nothing', () => {
    expect(compilePolicy([{ name: 'tools', allow: ['plugin:demo:*'] }])(tool('plugin:other:x'))).toEqual({
      kind: 'deny',
      layer: 'tools',
      rule: 'allow',
    })
    expect(compilePolicy([{ name: 'tools', allow: [] }])(tool('plugin:other:x')).kind).toBe('allow')
  })

  test('patterns match ids and names in any case', () => {
    const decide = compilePolicy([{ name: 'tools', deny: ['PLUGIN:Admin:*', 'Read_Secret'] }])
    expect(decide(tool('plugin:admin:wipe')).kind).toBe('deny')
    expect(decide(tool('mcp:vault:read_secret')).kind).toBe('deny')
    expect(decide(tool('mcp:vault:READ_SECRET')).kind).toBe('deny')
  })

  test('a further layer only narrows', () => {
    const names = fc.constantFrom('plugin:a:x', 'plugin:a:y', 'mcp:b:x', 'mcp:b:delete_z', 'client:client:open')
    const patterns = fc.array(fc.constantFrom('*', 'plugin:*', '*:x', 'mcp:b:*', 'delete_*', 'X', 'open'), {
      maxLength: 3,
    })
    const layer = fc.record({ name: fc.constant('l'), allow: patterns, deny: patterns })
    fc.assert(
      fc.property(fc.array(layer, { maxLength: 3 }), layer, names, (layers, extra, id) => {
        const before = compilePolicy(layers)(tool(id)).kind
        const after = compilePolicy([...layers, extra])(tool(id)).kind
        return before === 'allow' || after === 'deny'
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('patterns', () => {
  test.each([
    ['*', '', true],
    ['a*', 'abc', true],
    ['*c', 'abc', true],
    ['a*c', 'ac', true],
    ['a*a', 'a', false],
    ['a*b*a', 'aba', true],
    ['*ab*ab*', 'xabx', false],
    ['abc', 'abcd', false],
    ['a**b', 'ab', true],
  ])('%s against %s is %s', (pattern, text, expected) => {
    expect(matchesPattern(pattern, text)).toBe(expected)
  })

  test('they agree with the regular expression that they stand for', () => {
    const small = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 })
    fc.assert(
      fc.property(small, fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 10 }), (pattern, text) => {
        const expected = new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(text)
        return matchesPattern(pattern, text) === expected
      }),
      { numRuns: 2_000 },
    )
  })
})
