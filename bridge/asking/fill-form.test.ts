import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { affirmForm, fillForm } from './fill-form.ts'
import { readForm } from './read-form.ts'
import { readWords } from './read-words.ts'

const fieldsOf = (properties: JsonObject, required: readonly string[] = []) =>
  readForm({ properties, required }, (text) => text) ?? []

const PERSON = fieldsOf(
  {
    name: { type: 'string', minLength: 2, maxLength: 5 },
    age: { type: 'integer', minimum: 0, maximum: 150 },
    seat: { type: 'string', enum: ['w', 'a'], enumNames: ['Window', 'Aisle'], default: 'w' },
    meals: { type: 'array', items: { type: 'string', enum: ['lunch', 'dinner'] }, maxItems: 1 },
    mail: { type: 'string', format: 'email' },
    day: { type: 'string', format: 'date' },
  },
  ['name', 'age'],
)
const ADA = { name: 'Ada', age: 36 }

test('an answer is taken with the defaults of what it leaves out', () => {
  expect(fillForm(PERSON, { ...ADA, meals: ['dinner'] })).toEqual({
    kind: 'filled',
    content: { name: 'Ada', age: 36, seat: 'w', meals: ['dinner'] },
  })
})

test.each<readonly [JsonObject, string]>([
  [{ name: 'Ada' }, 'field "age" is required and was not given'],
  [{ ...ADA, hat: 'red' }, 'there is no field "hat"; there are "name", "age"'],
  [{ ...ADA, age: '36' }, 'field "age" takes a whole number, got "36"'],
  [{ ...ADA, age: 1.5 }, 'field "age" takes a whole number, got 1.5'],
  [{ ...ADA, age: 151 }, 'field "age" is at most 150, got 151'],
  [{ ...ADA, age: -1 }, 'field "age" is at least 0, got -1'],
  [{ ...ADA, name: 'A' }, 'field "name" has at least 2 characters, got 1'],
  [{ ...ADA, name: 'Adelaide' }, 'field "name" has at most 5 characters, got 8'],
  [{ ...ADA, name: null }, 'field "name" takes a text, got null'],
  [{ ...ADA, seat: 'x' }, 'field "seat" takes one of "w", "a"; got "x"'],
  [{ ...ADA, meals: 'lunch' }, 'field "meals" takes a list of "lunch", "dinner"; got "lunch"'],
  [{ ...ADA, meals: ['tea'] }, 'field "meals" takes of "lunch", "dinner"; got "tea"'],
  [{ ...ADA, meals: ['lunch', 'dinner'] }, 'field "meals" takes at most 1 of its choices, got 2'],
  [{ ...ADA, mail: 'ada' }, 'field "mail" is a mail address, got "ada"'],
  [{ ...ADA, day: '2027-13-01' }, 'field "day" is a date as "2027-01-31", got "2027-13-01"'],
])('%j is not taken, and it is said which field wants what', (answer, message) => {
  const filled = fillForm(PERSON, answer)
  expect(filled.kind === 'problem' && filled.message).toContain(message)
})

test('a field by the name of what every object has is missed like any other', () => {
  expect(fillForm(fieldsOf({ constructor: { type: 'string' } }, ['constructor']), {}).kind).toBe('problem')
})

describe('a yes by itself', () => {
  test.each<readonly [JsonObject, readonly string[], JsonObject]>([
    [{}, [], {}],
    [{ sure: { type: 'boolean' } }, [], { sure: true }],
    [{ sure: { type: 'boolean' } }, ['sure'], { sure: true }],
    [{ sure: { type: 'boolean', default: false } }, [], { sure: true }],
    [{ note: { type: 'string' }, sure: { type: 'boolean' } }, ['sure'], { sure: true }],
    [{ note: { type: 'string' }, other: { type: 'boolean' } }, [], {}],
    [{ name: { type: 'string', default: 'Ada' } }, ['name'], { name: 'Ada' }],
  ])('fills %j, of which %j is required, with %j', (properties, required, content) => {
    expect(affirmForm(fieldsOf(properties, required))).toEqual({ kind: 'filled', content })
  })

  test.each<readonly [JsonObject, readonly string[]]>([
    [{ name: { type: 'string' } }, ['name']],
    [{ a: { type: 'boolean' }, b: { type: 'boolean' } }, ['a', 'b']],
  ])('does not fill %j', (properties, required) => {
    expect(affirmForm(fieldsOf(properties, required)).kind).toBe('problem')
  })
})

test.each<readonly [string, JsonValue, JsonValue]>([
  ['age', ' 36 ', 36],
  ['age', '3e1', 30],
  ['age', 'old', 'old'],
  ['age', 36, 36],
  ['name', '36', '36'],
  ['seat', 'aisle', 'a'],
  ['seat', 'A', 'a'],
  ['seat', 'floor', 'floor'],
  ['meals', 'Lunch, dinner', ['lunch', 'dinner']],
  ['meals', '', []],
  ['hat', 'red', 'red'],
])('typed words for %s are read: %j is %j', (name, word, value) => {
  expect(readWords(PERSON, { [name]: word })).toEqual({ [name]: value })
})

test.each<readonly [string, JsonValue]>([
  ['YES', true],
  ['false', false],
  ['constructor', 'constructor'],
])('%j of a yes-or-no field is %j', (word, value) => {
  expect(readWords(fieldsOf({ sure: { type: 'boolean' } }), { sure: word })).toEqual({ sure: value })
})
