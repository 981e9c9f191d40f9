import { assert, json, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { hashJson } from '../../catalog/json.ts'
import { createSchemaChecker } from '../../catalog/schema.ts'
import type { InputProblem } from '../outcome.ts'
import { nearMiss } from './near-miss.ts'
import { problemsOf } from './problems.ts'

const checker = createSchemaChecker()

/** The problems of real validation. */
function problems(input: JsonValue, schema: JsonObject): readonly InputProblem[] {
  const result = checker.validate(schema, hashJson(schema), input)
  return result.kind === 'valid' ? [] : problemsOf(result.errors, input, schema)
}

const aSchema = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...more,
})

describe('problemsOf', () => {
  test('a missing property is named with its type', () => {
    const schema = aSchema(
      { title: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
      { required: ['title', 'tags'] },
    )
    expect(problems({}, schema)).toEqual([
      { path: '/title', expected: 'required: string' },
      { path: '/tags', expected: 'required: list of string' },
    ])
  })

  test('an unknown property gets the name that was most likely meant', () => {
    const schema = aSchema({ file_path: { type: 'string' }, limit: { type: 'number' } })
    expect(problems({ filePath: 'a', limt: 2 }, schema)).toEqual([
      { path: '/filePath', expected: 'no property of this name', got: '"a"', suggestion: 'did you mean "file_path"?' },
      { path: '/limt', expected: 'no property of this name', got: '2', suggestion: 'did you mean "limit"?' },
    ])
  })

  test('an unknown property that is like none gets the list of those that there are', () => {
    const schema = aSchema({ limit: { type: 'number' }, page: { type: 'number' } })
    expect(problems({ zebra: 1 }, schema)[0]?.suggestion).toBe('there are: limit, page')
  })

  test('a shorter or longer name is taken for the only one that begins alike', () => {
    const schema = aSchema({ durationMinutes: {}, start: {}, startTime: {}, starting: {} })
    expect(problems({ duration: 1 }, schema)[0]?.suggestion).toBe('did you mean "durationMinutes"?')
    expect(problems({ startTimeOfDay: 1 }, aSchema({ startTime: {} }))[0]?.suggestion).toBe('did you mean "startTime"?')
    expect(problems({ star: 1 }, aSchema({ starboard: {}, starfish: {} }))[0]?.suggestion).toContain('there are')
  })

  test('a property on the wrong level is told where it belongs', () => {
    const schema = aSchema({ title: {}, options: aSchema({ notify: { type: 'boolean' } }) })
    expect(problems({ notify: true }, schema)[0]?.suggestion).toBe('it belongs inside "options"')
    expect(problems({ event: { title: 'x' } }, schema)[0]?.suggestion).toBe('send what is inside it directly')
  })

  test.each(['date-time', 'date', 'email', 'uri', 'uuid'])('a wrong %s gets an example that is right', (format) => {
    const schema = aSchema({ x: { type: 'string', format } })
    const expected = problems({ x: 'soon' }, schema)[0]?.expected ?? ''
    const example = /"(.+)"/.exec(expected)?.[1]
    expect(expected).toContain(format)
    expect(problems({ x: example ?? '' }, schema)).toEqual([])
  })

  test('a misspelt required property is told from both ends', () => {
    const schema = aSchema({ message: { type: 'string' } }, { required: ['message'] })
    expect(problems({ mesage: 'x' }, schema)).toEqual(
      expect.arrayContaining([
        { path: '/message', expected: 'required: string', suggestion: '"mesage" was given; call it "message"' },
        { path: '/mesage', expected: 'no property of this name', got: '"x"', suggestion: 'did you mean "message"?' },
      ]),
    )
  })

  test('a value of the wrong type is shown with what is wanted', () => {
    expect(problems({ n: 'two' }, aSchema({ n: { type: ['number', 'null'] } }))).toEqual([
      { path: '/n', expected: 'number or null', got: '"two"' },
    ])
  })

  test('a secret is not repeated, wherever it stands', () => {
    const schema = aSchema({ token: { type: 'string' }, auth: { type: 'object', properties: { password: {} } } })
    const input = { token: 48_613_975, apiKey: 'qhf-19-xw', auth: 'qhf-19-xw', note: { password: 'qhf-19-xw' } }
    const told = problems(input, schema)
    expect(told.map(({ path, got }) => [path, got])).toEqual([
      ['/apiKey', '[redacted]'],
      ['/note', '{"password":"[redacted]"}'],
      ['/token', '[redacted]'],
      ['/auth', '"qhf-19-xw"'],
    ])
    expect(told.at(-1)?.suggestion).toBe('send { "password": [redacted] }')
  })

  test('a misspelt listed value gets the nearest', () => {
    const schema = aSchema({ color: { enum: ['red', 'green', 'blue'] } })
    expect(problems({ color: 'gren' }, schema)).toEqual([
      { path: '/color', expected: 'one of "red", "green", "blue"', got: '"gren"', suggestion: 'did you mean "green"?' },
    ])
    expect(problems({ color: 'RED' }, schema)[0]?.suggestion).toBe('did you mean "red"?')
    expect(problems({ color: 7 }, schema)[0]).not.toHaveProperty('suggestion')
  })

  test('limits are told in words', () => {
    const schema = aSchema({ n: { type: 'number', maximum: 5 }, s: { type: 'string', minLength: 2 } })
    expect(problems({ n: 9, s: '' }, schema)).toEqual([
      { path: '/n', expected: '<= 5', got: '9' },
      { path: '/s', expected: expect.stringContaining('2 characters'), got: '""' },
    ])
  })

  test('a union that nothing fits is one problem', () => {
    const schema = aSchema({ at: { anyOf: [{ type: 'string' }, { type: 'number' }] } })
    expect(problems({ at: true }, schema)).toEqual([{ path: '/at', expected: 'string or number', got: 'true' }])
  })

  test('alternatives of what has to be given are told as such, and too much is too', () => {
    const place = { city: { type: 'string' }, lat: { type: 'number' }, long: { type: 'number' } }
    const oneOf = [{ required: ['city'] }, { required: ['lat', 'long'] }]
    expect(problems({}, aSchema(place, { oneOf }))).toEqual([
      { path: '', expected: 'either "city" or "lat" and "long"', got: '{}' },
    ])
    expect(problems({ city: 'x', lat: 1, long: 2 }, aSchema(place, { oneOf }))).toMatchObject([
      { path: '', expected: 'only one of "city", "lat" and "long"' },
    ])
    expect(problems({}, aSchema(place, { anyOf: oneOf }))).toMatchObject([
      { expected: 'either "city" or "lat" and "long"' },
    ])
  })

  test('a condition is told by what it asks for', () => {
    const rule = JSON.parse('{ "if": { "required": ["urgent"] }, "then": { "required": ["reason"] } }')
    const schema = aSchema({ urgent: { type: 'boolean' }, reason: { type: 'string' } }, { allOf: [rule] })
    expect(problems({ urgent: true }, schema)).toEqual([{ path: '/reason', expected: 'required: string' }])
  })

  test('of a union with marks only the marked branch is told', () => {
    const circle = aSchema({ kind: { const: 'circle' }, radius: { type: 'number' } }, { required: ['kind', 'radius'] })
    const square = aSchema({ kind: { const: 'square' }, side: { type: 'number' } }, { required: ['kind', 'side'] })
    expect(problems({ shape: { kind: 'circle' } }, aSchema({ shape: { oneOf: [circle, square] } }))).toEqual([
      { path: '/shape/radius', expected: 'required: number' },
    ])
  })

  test('text for a tool with one argument is shown in its place', () => {
    expect(problems('hello', aSchema({ text: { type: 'string' } }))).toEqual([
      { path: '', expected: 'object { text }', got: '"hello"', suggestion: 'send { "text": "hello" }' },
    ])
  })

  test('a problem behind a reference and inside a list has its whole path', () => {
    const schema = aSchema(
      { l: { type: 'array', items: { $ref: '#/$defs/item' } } },
      { $defs: { item: aSchema({ 'a/b': { type: 'number' } }) } },
    )
    expect(problems({ l: [{}, { 'a/b': 'x' }] }, schema)).toEqual([
      { path: '/l/1/a~1b', expected: 'number', got: '"x"' },
    ])
  })

  test('many problems are cut, and how many is said', () => {
    const input = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`wrong${index}`, index]))
    const told = problems(input, aSchema({ ok: {} }))
    expect(told).toHaveLength(16)
    expect(told.at(-1)?.expected).toMatch(/^\d+ more problems/)
  })

  test('long names and values are cut', () => {
    const told = problems({ ['x'.repeat(5_000)]: 'y'.repeat(5_000) }, aSchema({ ok: {} }))
    expect(Buffer.byteLength(JSON.stringify(told))).toBeLessThan(1_000)
  })

  test('nothing makes it throw', () => {
    const schema = aSchema(
      { a: { $ref: '#' }, b: { anyOf: [{ $ref: '#/properties/a' }, { type: 'number' }] }, c: { enum: [1, 'x'] } },
      { required: ['c'] },
    )
    assert(
      property(json({ maxDepth: 3 }), (source) => {
        const value: JsonValue = JSON.parse(source)
        expect(problems({ a: value, b: value, c: value }, schema).length).toBeLessThanOrEqual(16)
      }),
    )
  })
})

describe('nearMiss', () => {
  test.each([
    ['filePath', 'file_path'],
    ['FILE-PATH', 'file_path'],
    ['lmiit', 'limit'],
    ['limits', 'limit'],
    ['descripton', 'description'],
  ])('%s is %s', (name, meant) => {
    expect(nearMiss(name, ['file_path', 'limit', 'description', 'id'])).toBe(meant)
  })

  test.each(['zebra', 'x', '', 'pathology'])('"%s" is none of them', (name) => {
    expect(nearMiss(name, ['file_path', 'limit', 'description', 'id'])).toBeUndefined()
  })
})
