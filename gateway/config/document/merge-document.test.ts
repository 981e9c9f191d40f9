import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { canonicalJson, isJsonObject } from '../../../catalog/json.ts'
import { mergeDocument } from './merge-document.ts'
import { parseDocument } from './parse-document.ts'

const TEXT = `{
  // where
  gateway: { port: 1, host: 'a' }, // mine
  tools: { deny: ['x', 'y'] },
}
`

test('a merge touches what differs and keeps every comment', () => {
  const patch = { gateway: { port: 2 }, tools: { deny: ['z'] }, sandbox: { jit: true } }
  expect(mergeDocument(TEXT, [], patch)).toEqual({
    kind: 'edited',
    text: `{
  // where
  gateway: { port: 2, host: 'a' }, // mine
  tools: { deny: ['z'] },
  sandbox: { jit: true },
}
`,
  })
})

test('null takes away, also where nothing is, and is never written', () => {
  const patch = { gateway: { host: null }, tools: null, none: null, agents: { a: { model: null } } }
  expect(mergeDocument(TEXT, [], patch)).toEqual({
    kind: 'edited',
    text: `{\n  // where\n  gateway: { port: 1 }, // mine\n  agents: { a: {} },\n}\n`,
  })
})

test('a merge at a path makes what is missing on the way', () => {
  expect(mergeDocument('', ['mcp', 'servers', 'files'], { command: 'x', cwd: null })).toEqual({
    kind: 'edited',
    text: `{\n  mcp: { servers: { files: { command: 'x' } } },\n}\n`,
  })
})

test('what says nothing new is no edit', () => {
  expect(mergeDocument(TEXT, [], { gateway: { port: 1 }, none: null, tools: {} })).toEqual({ kind: 'unchanged' })
})

test('a text that cannot be read is refused', () => {
  expect(mergeDocument('{', [], { a: 1 })).toMatchObject({ kind: 'refused', problems: [{ kind: 'syntax' }] })
})

test('for any two objects it says what RFC 7396 says', () => {
  const key = fc.constantFrom('a', 'b', 'c d', '1', 'null')
  const { object } = fc.letrec<{ object: JsonObject; value: JsonValue }>((tie) => ({
    object: fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom<JsonValue>(null, true, 1, 'x', []),
      fc.array(tie('value'), { maxLength: 2 }),
      tie('object'),
    ),
  }))
  const property = fc.property(object, object, (target, patch) => {
    const text = JSON.stringify(target)
    const merged = mergeDocument(text, [], patch)
    const result = parseDocument(merged.kind === 'edited' ? merged.text : text)
    const value = result.kind === 'document' ? result.document.value : undefined
    return value !== undefined && canonicalJson(value) === canonicalJson(mergePatch(target, patch))
  })
  fc.assert(property, { numRuns: 2_000 })
})

/** The pseudocode of RFC 7396, section 2. */
function mergePatch(target: JsonValue, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch
  const merged = new Map(Object.entries(isJsonObject(target) ? target : {}))
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key)
    else merged.set(key, mergePatch(merged.get(key) ?? null, value))
  }
  return Object.fromEntries(merged)
}
