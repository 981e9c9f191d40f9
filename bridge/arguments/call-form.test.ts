import { anything, assert, json, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { readCallForm } from './call-form.ts'

const ID = 'plugin:math:add'
const args = { a: 1 }

describe('forms that are read', () => {
  test('the right form is read without a notice', () => {
    expect(readCallForm({ id: ID, args })).toEqual({ kind: 'form', id: ID, args, notices: [] })
    expect(readCallForm({ id: ID })).toEqual({ kind: 'form', id: ID, args: {}, notices: [] })
    expect(readCallForm({ id: ID, args: {} })).toEqual({ kind: 'form', id: ID, args: {}, notices: [] })
  })

  test.each(['toolId', 'tool_id', 'tool', 'name', 'toolName', 'tool_name'])('"%s" for the id', (key) => {
    expect(readCallForm({ [key]: ID, args })).toMatchObject({ kind: 'form', id: ID, args, notices: [{}] })
  })

  test.each(['input', 'arguments', 'params', 'parameters'])('"%s" for the arguments', (key) => {
    expect(readCallForm({ id: ID, [key]: args })).toMatchObject({ kind: 'form', id: ID, args, notices: [{}] })
    expect(readCallForm({ id: ID, [key]: '{"a":1}' })).toMatchObject({ args })
    expect(readCallForm({ id: ID, [key]: args, args: {} })).toMatchObject({ args })
  })

  test.each<[string, JsonValue, JsonObject]>([
    ['arguments as JSON text', { id: ID, args: '{"a":1}' }, args],
    ['arguments as JSON text in JSON text', { id: ID, args: '"{\\"a\\":1}"' }, args],
    ['empty text for no arguments', { id: ID, args: '' }, {}],
    ['null for no arguments', { id: ID, args: null }, {}],
    ['the whole call as JSON text', JSON.stringify({ id: ID, args }), args],
    ['dotted arguments', { id: ID, 'args.a': 1 }, args],
    ['dotted arguments beside empty ones', { id: ID, args: {}, 'args.path': 'x' }, { path: 'x' }],
    ['dotted arguments under another name', { id: ID, 'input.a': 1 }, args],
    ['flattened arguments', { id: ID, a: 1, b: 2 }, { a: 1, b: 2 }],
    ['flattened arguments beside empty ones', { id: ID, args: {}, a: 1 }, args],
    ['flattened arguments beside others', { id: ID, args, b: 2 }, { a: 1, b: 2 }],
    ['an argument called name', { id: 'plugin:crm:add', name: 'Bob' }, { name: 'Bob' }],
    ['an argument called input with plain text', { id: ID, input: 'hello' }, { input: 'hello' }],
    ['the call inside "arguments"', { arguments: { id: ID, args } }, args],
    ['the call inside a call', { name: 'tool_call', arguments: { id: ID, args } }, args],
    ['a hit for the id', { id: { id: ID, score: 1 }, args }, args],
    ['the name beside the id', { id: ID, name: 'add', args }, args],
    ['the same id twice', { id: ID, toolId: ID, args }, args],
    ['the form of function calls', { function: { name: ID, arguments: '{"a":1}' } }, args],
    ['the same with its type', { type: 'function', function: { name: ID, arguments: args } }, args],
    ['a call inside a name of its own', { tool_call: { id: ID, args } }, args],
    ['a list of one call', [{ id: ID, args }], args],
    ['another spelling of the id', { toolID: ID, args }, args],
    ['capitals', { Id: ID, args }, args],
    ['an argument that is called like another spelling', { id: ID, ID: '5' }, { ID: '5' }],
    ['the same arguments twice', { id: ID, args, input: args }, args],
  ])('%s', (_, input, wanted) => {
    expect(readCallForm(input)).toMatchObject({ kind: 'form', args: wanted })
  })

  test('a full id wins over the bare name', () => {
    expect(readCallForm({ name: 'add', tool: ID })).toMatchObject({ id: ID })
  })

  test('a server and a name make one id, since the name alone may be that of another server', () => {
    const form = { server_name: 'math', tool_name: 'add', arguments: args }
    expect(readCallForm(form)).toMatchObject({ id: 'math:add', args, notices: [{}, {}] })
    expect(readCallForm({ id: ID, server: 'math', args })).toMatchObject({ id: ID, args: { ...args, server: 'math' } })
    expect(readCallForm({ name: 'add', server: 'math' })).toMatchObject({ id: 'add', args: { server: 'math' } })
  })

  test('an id alone, as text', () => {
    expect(readCallForm(ID)).toEqual({ kind: 'form', id: ID, args: {}, notices: [] })
  })

  test('a list of arguments is passed on for validation to refuse', () => {
    expect(readCallForm({ id: ID, args: [1] })).toMatchObject({ args: [1] })
  })
})

describe('problems', () => {
  test.each<[string, JsonValue, string]>([
    ['two ids', { id: ID, toolId: 'plugin:math:sub' }, 'plugin:math:sub'],
    ['an id and another in "name"', { id: ID, name: 'plugin:math:sub' }, 'plugin:math:sub'],
    ['another name beside complete arguments', { id: ID, name: 'sub', args }, '"sub"'],
    [
      'two sets of arguments that begin alike',
      { id: ID, args: { a: 'x'.repeat(200) }, input: { a: `${'x'.repeat(200)}y` } },
      '"input"',
    ],
    ['two sets of arguments', { id: ID, args, input: { a: 2 } }, '"input"'],
    ['one argument with two values', { id: ID, args, 'args.a': 2 }, '"a"'],
    ['no id', { args }, 'no tool is named'],
    ['an id that is no text', { id: 5, args }, '"id" is 5'],
    ['an id in a list', { id: [ID], args }, '"id" is ['],
    [
      'several calls',
      [
        { id: ID, args },
        { id: ID, args },
      ],
      'one call is made at a time',
    ],
    ['arguments that break off', { id: ID, args: '{"a":1' }, 'does not parse'],
    ['nothing', {}, 'there was nothing'],
    ['a list', [ID], 'not ['],
    ['a sentence', 'please call add', 'not "please'],
    ['arguments beside text that is no JSON', { id: ID, args: 'a=1', b: 2 }, '"args" wants an object'],
  ])('%s', (_, input, words) => {
    expect(readCallForm(input)).toEqual({ kind: 'problem', message: expect.stringContaining(words) })
  })
})

describe('properties', () => {
  test('nothing makes it throw', () => {
    assert(
      property(json({ maxDepth: 4 }), (source) => {
        const value: JsonValue = JSON.parse(source)
        expect(['form', 'problem']).toContain(readCallForm(value).kind)
        expect(['form', 'problem']).toContain(readCallForm(source).kind)
      }),
    )
  })

  test('whatever the arguments, the right form keeps them as they are', () => {
    assert(
      property(anything({ maxDepth: 3 }), (raw) => {
        const value: JsonObject = JSON.parse(JSON.stringify({ value: raw ?? 1 }))
        expect(readCallForm({ id: ID, args: value })).toEqual({ kind: 'form', id: ID, args: value, notices: [] })
      }),
    )
  })
})
