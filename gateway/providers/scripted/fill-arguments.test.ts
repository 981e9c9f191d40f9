import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../catalog/json.ts'
import { fillArguments, fillerSource } from './fill-arguments.js'

const text = { type: 'string' }
const whole = { type: 'integer' }
const email = { type: 'string', format: 'email' }

describe('arguments are read from a message', () => {
  test.each([
    [
      'Create an issue "Login broken" "It fails"',
      { title: text, body: text },
      ['title'],
      { title: 'Login broken', body: 'It fails' },
    ],
    ['Show employee EMP-007', { employee_id: text }, ['employee_id'], { employee_id: 'EMP-007' }],
    ['close issue 42', { issue_number: text }, ['issue_number'], { issue_number: '42' }],
    [
      'search the docs for onboarding checklist',
      { query: text, limit: whole },
      ['query'],
      { query: 'onboarding checklist' },
    ],
    ['search for "onboarding", limit 5', { query: text, limit: whole }, ['query'], { query: 'onboarding', limit: 5 }],
    ['add 2 and 40', { a: { type: 'number' }, b: { type: 'number' } }, ['a', 'b'], { a: 2, b: 40 }],
    [
      'refund 12.50 to=acct_9',
      { amount: { type: 'number' }, to: text },
      ['amount', 'to'],
      { amount: 12.5, to: 'acct_9' },
    ],
    ['list open tickets', { status: { type: 'string', enum: ['open', 'closed'] } }, [], { status: 'open' }],
    ['list all tickets, 20 of them', { limit: whole }, [], {}],
    ['find the employee Ada Lovelace', { name: text }, ['name'], { name: 'Ada Lovelace' }],
    [
      'delete 3 without dry run',
      { count: whole, dry_run: { type: 'boolean' } },
      ['count'],
      { count: 3, dry_run: false },
    ],
    ['verbose: yes', { verbose: { type: 'boolean' } }, [], { verbose: true }],
    [
      'title: Weekly review, attendees: 3',
      { title: text, attendees: whole },
      ['title'],
      { title: 'Weekly review', attendees: 3 },
    ],
    ['use {"title":"A","count":"2"}', { title: text, count: whole }, ['title', 'count'], { title: 'A', count: 2 }],
    ['open https://example.com/a?b=1', { url: text }, ['url'], { url: 'https://example.com/a?b=1' }],
    ['send to per-2: "Lunch?"', { to_id: text, text }, ['to_id', 'text'], { to_id: 'per-2', text: 'Lunch?' }],
    ['tag it "red" and "blue"', { tags: { type: 'array', items: text } }, ['tags'], { tags: ['red', 'blue'] }],
    [
      'filter status=open',
      { filter: { type: 'object', properties: { status: text }, required: ['status'] } },
      ['filter'],
      { filter: { status: 'open' } },
    ],
    [
      'meet on 2026-12-01',
      { start: { type: 'string', format: 'date-time' } },
      ['start'],
      { start: '2026-12-01T00:00:00Z' },
    ],
    ['due 2026-12-01T10:00:00Z', { due_date: text }, ['due_date'], { due_date: '2026-12-01' }],
    [
      'mail a@example.com and b@example.com',
      { to: { type: 'array', items: email } },
      [],
      { to: ['a@example.com', 'b@example.com'] },
    ],
    ['say it', { mode: { const: 'plain', default: 'plain' } }, ['mode'], { mode: 'plain' }],
    ['nothing here', { city: { type: ['string', 'null'] } }, [], {}],
  ] as const)('%s', (...[message, properties, required, args]) => {
    expect(fillArguments({ type: 'object', properties, required }, message)).toEqual({ args, missing: [] })
  })
})

test('what is required and cannot be read is named, and never made up', () => {
  const schema = {
    properties: { to: email, amount: { type: 'number' }, kind: { enum: ['a', 'b'] }, note: text },
    required: ['to', 'amount', 'kind'],
  }
  expect(fillArguments(schema, 'send some money')).toEqual({ args: {}, missing: ['to', 'amount', 'kind'] })
})

test('a schema that is wrong or strange is read as far as it goes', () => {
  const schema = JSON.parse(
    '{"properties":{"constructor":{"type":"string"},"a":true,"b":null,"c":{"type":"string"}},"required":"c"}',
  )
  expect(fillArguments(schema, 'c: x')).toEqual({ args: { c: 'x' }, missing: [] })
})

test('the same function comes out of its own text, as a program holds it', () => {
  const schema: JsonObject = {
    properties: { title: text, tags: { type: 'array', items: text } },
    required: ['title', 'tags'],
  }
  const message = 'create title: Review, "a" and "b"'
  const source = `${fillerSource}\nreturn fillArguments(schema, message)`
  const again: unknown = Reflect.construct(Function, ['schema', 'message', source])(schema, message)
  expect(again).toEqual(fillArguments(schema, message))
  expect(again).toEqual({ args: { title: 'Review', tags: ['a', 'b'] }, missing: [] })
})
