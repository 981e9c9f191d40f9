import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { safeName, toolId } from './tool-id.ts'

const source = fc.constantFrom('plugin', 'mcp', 'client')
const part = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', '_', ':', '%', '-', '.', 'A', '3'), minLength: 1, maxLength: 6 }),
  fc.string({ minLength: 1, maxLength: 90 }),
)
const identity = fc.tuple(source, part, part)

describe('tool ids', () => {
  test('a colon or percent sign inside a part is encoded', () => {
    expect(toolId('mcp', 'a:b', 'c%d')).toBe('mcp:a%3Ab:c%25d')
  })

  test('two tools never share an id or a safe name', () => {
    fc.assert(
      fc.property(identity, identity, (a, b) => {
        const isSame = JSON.stringify(a) === JSON.stringify(b)
        return isSame || (toolId(...a) !== toolId(...b) && safeName(...a) !== safeName(...b))
      }),
      { numRuns: 5_000 },
    )
  })

  test('a safe name is one that every provider takes', () => {
    fc.assert(
      fc.property(identity, (it) => /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(safeName(...it))),
      { numRuns: 2_000 },
    )
  })

  test('an ordinary plugin tool keeps its plain form', () => {
    expect(safeName('plugin', 'demo', 'create_invoice')).toBe('demo__create_invoice')
  })

  test.each([
    ['two spellings that meet in one form', ['mcp', 'fs', 'read-file'], ['mcp', 'fs', 'read.file']],
    ['an underscore on either side', ['plugin', 'acme_', 'status'], ['plugin', 'acme', '_status']],
    ['two sources of one name', ['plugin', 'github', 'search'], ['mcp', 'github', 'search']],
    ['long names with a common start', ['mcp', 'x', `${'a'.repeat(80)}1`], ['mcp', 'x', `${'a'.repeat(80)}2`]],
  ] as const)('%s stay apart', (_title, a, b) => {
    expect(safeName(a[0], a[1], a[2])).not.toBe(safeName(b[0], b[1], b[2]))
  })
})
