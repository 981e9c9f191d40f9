import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from './json.ts'
import { schemaChanges } from './schema-changes.ts'

const anObject = (properties: JsonObject, required: readonly string[] = [], more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  required,
  ...more,
})
const text = { type: 'string' }
const number = { type: 'number' }

describe('what changed of a schema', () => {
  test.each<[string, JsonObject, JsonObject, readonly string[]]>([
    ['nothing', anObject({ a: text }), anObject({ a: text }), []],
    ['the order of keys', { properties: { a: text, b: text } }, { properties: { b: text, a: text } }, []],
    ['a property that went', anObject({ a: text, b: text }), anObject({ a: text }), ['"b" is gone']],
    [
      'a property that came',
      anObject({}),
      anObject({ a: text, b: text }, ['b']),
      ['"a" is new', '"b" is new and required'],
    ],
    ['what must be given', anObject({ a: text }), anObject({ a: text }, ['a']), ['"a" is required now']],
    ['what need not be given', anObject({ a: text }, ['a']), anObject({ a: text }), ['"a" is optional now']],
    ['a type', anObject({ a: text }), anObject({ a: number }), ['"a" was string and is number']],
    [
      'the choices',
      anObject({ a: { enum: ['x', 'y'] } }),
      anObject({ a: { enum: ['x'] } }),
      ["\"a\" was 'x' | 'y' and is 'x'"],
    ],
    [
      'something further in',
      anObject({ a: anObject({ b: text }), l: { type: 'array', items: anObject({ c: text }) } }),
      anObject({ a: anObject({ b: number }), l: { type: 'array', items: anObject({}) } }),
      ['"a.b" was string and is number', '"l[].c" is gone'],
    ],
    [
      'a definition',
      anObject({ a: { $ref: '#/$defs/Size' } }, [], { $defs: { Size: text } }),
      anObject({ a: { $ref: '#/$defs/Size' } }, [], { $defs: { Size: number } }),
      ['type "Size" was string and is number'],
    ],
    [
      'a bound',
      anObject({ a: number }),
      anObject({ a: { ...number, maximum: 3 } }),
      ['"a" allows other values than before'],
    ],
    [
      'a description',
      anObject({ a: text }),
      anObject({ a: { ...text, description: 'x' } }),
      ['something that no type shows has changed'],
    ],
    [
      'a rule that no type shows',
      anObject({ a: text }),
      anObject({ a: text }, [], { not: { required: ['a'] } }),
      ['something that no type shows has changed'],
    ],
  ])('%s', (...[, before, now, changes]) => {
    expect(schemaChanges(before, now)).toEqual(changes)
  })

  test('is told in a few short lines, however much it is', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 500 }, (_, place) => [`${'k'.repeat(500)}${place}`, text]),
    )
    const changes = schemaChanges(anObject(properties), anObject({}))
    expect(changes.length).toBe(9)
    expect(changes.at(-1)).toBe('492 more changes')
    expect(Math.max(...changes.map((change) => change.length))).toBeLessThan(200)
  })

  test('never throws, and is nothing only for equal schemas', () => {
    const json = fc.dictionary(
      fc.constantFrom('properties', 'required', 'items', '$defs', 'a', '__proto__'),
      fc.jsonValue(),
    )
    fc.assert(
      fc.property(json, json, (one, two) => {
        const [before, now]: JsonObject[] = JSON.parse(JSON.stringify([one, two]))
        const changes = schemaChanges(before ?? {}, now ?? {})
        return changes.length > 0 || JSON.stringify(schemaChanges(now ?? {}, before ?? {})) === '[]'
      }),
    )
  })
})
