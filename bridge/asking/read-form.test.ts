import { expect, test } from 'vitest'
import type { JsonObject } from '../../catalog/json.ts'
import { readForm } from './read-form.ts'

const asItIs = (text: string): string => text
const read = (properties: JsonObject, required: readonly string[] = []) =>
  readForm({ type: 'object', properties, required }, asItIs)

test.each<readonly [JsonObject, object]>([
  [
    { type: 'boolean', default: true },
    { type: 'boolean', default: true },
  ],
  [
    { type: 'number', minimum: 1, maximum: 2.5 },
    { type: 'number', min: 1, max: 2.5 },
  ],
  [
    { type: 'integer', default: 30 },
    { type: 'integer', default: 30 },
  ],
  [
    { type: 'string', minLength: 2, format: 'email' },
    { type: 'text', min: 2, format: 'email' },
  ],
  [{ type: 'string', format: 'colour' }, { type: 'text' }],
  [
    { type: 'string', enum: ['a', 'b'] },
    { type: 'choice', choices: [{ value: 'a' }, { value: 'b' }] },
  ],
  [
    { type: 'string', enum: ['a'], enumNames: ['A'] },
    { type: 'choice', choices: [{ value: 'a', title: 'A' }] },
  ],
  [
    { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
    { type: 'choice', choices: [{ value: 'a', title: 'A' }] },
  ],
  [
    { type: 'array', items: { type: 'string', enum: ['a'] }, maxItems: 1 },
    { type: 'choices', choices: [{ value: 'a' }], max: 1 },
  ],
  [
    { type: 'array', items: { anyOf: [{ const: 'a' }] }, default: ['a'] },
    { type: 'choices', choices: [{ value: 'a' }], default: ['a'] },
  ],
])('a field %j is read in each form that the revisions have for it', (schema, field) => {
  expect(read({ it: schema })).toEqual([{ name: 'it', isRequired: false, ...field }])
})

test('words lose what is hidden in them and what is too long; what is required is said', () => {
  const title = `Na\u200bme\u202e\n${'x'.repeat(300)}`
  const [field] = read({ name: { type: 'string', title, description: 'Your\tname' } }, ['name']) ?? []
  expect(field?.title).toMatch(/^Name x+…$/)
  expect(field?.title).toHaveLength(200)
  expect(field).toMatchObject({ isRequired: true, description: 'Your name' })
})

test('a default that the form does not allow is none', () => {
  expect(read({ age: { type: 'integer', default: 'old' } })).toEqual([
    { name: 'age', type: 'integer', isRequired: false },
  ])
})

test.each<readonly [string, JsonObject]>([
  ['a nested object', { it: { type: 'object' } }],
  ['a list of anything', { it: { type: 'array', items: { type: 'string' } } }],
  ['no type', { it: {} }],
  ['a choice with hidden characters', { it: { type: 'string', enum: ['a\u200b'] } }],
  ['a choice that is no text', { it: { type: 'string', enum: [1] } }],
  ['a name with hidden characters', { 'i\u200bt': { type: 'boolean' } }],
  ['a name that no command can say', { 'i t': { type: 'boolean' } }],
  ['an endless name', { ['x'.repeat(101)]: { type: 'boolean' } }],
  ['too many choices', { it: { type: 'string', enum: Array.from({ length: 251 }, (_, at) => `${at}`) } }],
  [
    'more words than are shown',
    Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [
        `f${at}`,
        { type: 'boolean', title: 'x'.repeat(200), description: 'y'.repeat(500) },
      ]),
    ),
  ],
  ['too many fields', Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`f${at}`, { type: 'boolean' }]))],
])('a form with %s is none', (_what, properties) => {
  expect(read(properties)).toBeUndefined()
})

test.each<JsonObject>([
  { properties: [] },
  { properties: {}, required: 'it' },
  { properties: {}, required: ['it'] },
  { properties: { it: { type: 'boolean' } }, required: [1] },
])('%j is no form', (schema) => {
  expect(readForm(schema, asItIs)).toBeUndefined()
})

test('no fields at all are a question that takes a yes', () => {
  expect(readForm({}, asItIs)).toEqual([])
})
