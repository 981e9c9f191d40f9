import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../catalog/json.ts'
import { portableParameters } from './portable-parameters.ts'

const text = { type: 'string' }
const number = { type: 'number' }
// In JSON: an object with a `then` is taken for a promise by linters.
const conditional: JsonObject = JSON.parse(
  '{ "type": "object", "properties": { "a": { "type": "string" } }, "if": { "required": ["a"] }, "then": { "properties": { "b": { "type": "string" } }, "required": ["b"] } }',
)

describe('parameters that every provider takes', () => {
  test.each<[string, JsonObject]>([
    ['an ordinary schema', { type: 'object', properties: { a: text }, required: ['a'], additionalProperties: false }],
    ['alternatives further in', { type: 'object', properties: { a: { oneOf: [text, number] } } }],
  ])('are the schema itself for %s', (_name, schema) => {
    expect(portableParameters(schema)).toEqual({ parameters: schema, isWhole: true })
  })

  test.each<[string, JsonObject, JsonObject]>([
    ['no properties', { type: 'object' }, { type: 'object', properties: {} }],
    ['no type', { properties: { a: text } }, { type: 'object', properties: { a: text } }],
    ['nothing at all', {}, { type: 'object', properties: {} }],
  ])('have what is missing for %s', (_name, schema, parameters) => {
    expect(portableParameters(schema)).toEqual({ parameters, isWhole: true })
  })

  test.each<[string, JsonObject, JsonObject]>([
    [
      'alternatives of what is required',
      {
        type: 'object',
        properties: { a: text, b: text, c: text },
        required: ['c'],
        oneOf: [{ required: ['a'] }, { required: ['b'] }],
      },
      { type: 'object', properties: { a: text, b: text, c: text }, required: ['c'] },
    ],
    [
      'alternatives at the root alone',
      {
        anyOf: [
          { type: 'object', properties: { kind: { const: 'x' }, a: text }, required: ['kind', 'a'] },
          { type: 'object', properties: { kind: { const: 'y' }, b: text }, required: ['kind', 'b'] },
        ],
      },
      {
        type: 'object',
        properties: { kind: { anyOf: [{ enum: ['x'] }, { enum: ['y'] }] }, a: text, b: text },
        required: ['kind'],
      },
    ],
    [
      'all of several, one by reference',
      {
        allOf: [{ $ref: '#/$defs/Base' }, { properties: { b: number }, required: ['b'] }],
        $defs: { Base: { type: 'object', properties: { a: text }, required: ['a'] } },
      },
      {
        type: 'object',
        properties: { a: text, b: number },
        required: ['a', 'b'],
        $defs: { Base: { type: 'object', properties: { a: text }, required: ['a'] } },
      },
    ],
    ['a condition', conditional, { type: 'object', properties: { a: text, b: text } }],
    [
      'a reference as the whole',
      { $ref: '#/$defs/Args', $defs: { Args: { type: 'object', properties: { a: text } } } },
      { type: 'object', properties: { a: text }, $defs: { Args: { type: 'object', properties: { a: text } } } },
    ],
    [
      'a reference into what is gone',
      {
        type: 'object',
        allOf: [{ properties: { a: text } }, { properties: { b: { $ref: '#/allOf/0/properties/a' } } }],
      },
      { type: 'object', properties: {} },
    ],
  ])('are one object for %s', (_name, schema, parameters) => {
    expect(portableParameters(schema)).toEqual({ parameters, isWhole: false })
  })

  test('are made in bounded time of a schema that refers to itself, or branches without end', () => {
    const self: JsonObject = { allOf: [{ $ref: '#' }, { $ref: '#' }], properties: { a: text } }
    expect(portableParameters(self).parameters).toMatchObject({ type: 'object', properties: { a: text } })
    let deep: JsonObject = { properties: { a: text } }
    for (let level = 0; level < 40; level++) deep = { anyOf: [deep, deep] }
    expect(portableParameters(deep).parameters['type']).toBe('object')
  })

  test('have an object at the root whatever the schema is', () => {
    const keyword = fc.constantFrom(
      'type',
      'properties',
      'required',
      'anyOf',
      'oneOf',
      'allOf',
      '$ref',
      'then',
      '$defs',
    )
    fc.assert(
      fc.property(fc.dictionary(keyword, fc.jsonValue()), (schema) => {
        const { parameters } = portableParameters(JSON.parse(JSON.stringify(schema)))
        expect(parameters).toMatchObject({ type: 'object', properties: expect.any(Object) })
        for (const refused of ['$ref', 'oneOf', 'anyOf', 'allOf']) expect(parameters).not.toHaveProperty([refused])
      }),
    )
  })
})
