import type { JsonObject } from '../../json.ts'

const TEXT = { type: 'string' } as const
const NUMBER = { type: 'number' } as const
const POINT = { type: 'object', properties: { x: NUMBER, y: NUMBER }, required: ['x', 'y'] } as const
const DRAFT_07 = 'http://json-schema.org/draft-07/schema#'

function args(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: 'object', properties, ...more }
}

/** Input schemas as tools have them, each with a habit or a keyword of its own; for the tests of signatures. */
export const SAMPLE_SCHEMAS: Readonly<Record<string, JsonObject>> = {
  'no arguments': args({}),
  'no arguments, closed': args({}, { additionalProperties: false }),
  'anything at all': {},
  'an object, no more is said': { type: 'object' },
  'one required text': args({ title: TEXT }, { required: ['title'] }),
  'required after optional': args({ a: TEXT, b: NUMBER, c: { type: 'boolean' } }, { required: ['c', 'b'] }),
  'all simple types': args({ s: TEXT, n: NUMBER, i: { type: 'integer' }, b: { type: 'boolean' }, z: { type: 'null' } }),
  'a list of texts': args({ labels: { type: 'array', items: TEXT, maxItems: 10 } }),
  'a list of lists': args({ rows: { type: 'array', items: { type: 'array', items: NUMBER } } }, { required: ['rows'] }),
  'a list of objects': args({ points: { type: 'array', items: POINT } }),
  'a list of anything': args({ list: { type: 'array' } }),
  'a list of a union': args({ list: { type: 'array', items: { type: ['string', 'number'] } } }),
  'a text enum': args({ sort: { type: 'string', enum: ['asc', 'desc'] } }, { required: ['sort'] }),
  'a number enum': args({ size: { type: 'integer', enum: [1, 2, 4] } }),
  'a mixed enum': args({ value: { enum: ['auto', 0, true, null] } }),
  'an enum with quotes': args({ mark: { enum: ["it's", 'a "b"', 'back\\slash', 'new\nline', '*/'] } }),
  'a list of an enum': args({ days: { type: 'array', items: { enum: ['mon', 'tue'] }, uniqueItems: true } }),
  'a constant': args({ kind: { const: 'circle' }, radius: NUMBER }, { required: ['kind'] }),
  'constants of every kind': args({
    a: { const: 1 },
    b: { const: null },
    c: { const: [1, 'x'] },
    d: { const: { e: true } },
  }),
  'nullable by type': args({ due: { type: ['string', 'null'], format: 'date' } }, { required: ['due'] }),
  'nullable by anyOf': args({ due: { anyOf: [TEXT, { type: 'null' }], default: null } }),
  'nested objects': args({ a: args({ b: args({ c: TEXT }, { required: ['c'] }) }) }, { required: ['a'] }),
  'a dictionary of numbers': args({ counts: { type: 'object', additionalProperties: NUMBER } }),
  'a dictionary of objects': args({ byName: { type: 'object', additionalProperties: POINT } }),
  'a dictionary at the root': { type: 'object', additionalProperties: TEXT },
  'an open object': args({ a: TEXT }, { additionalProperties: true, required: ['a'] }),
  'a closed object': args({ a: TEXT }, { additionalProperties: false }),
  'named and other keys': args({ a: TEXT }, { additionalProperties: NUMBER, required: ['a'] }),
  'keys by pattern': { type: 'object', patternProperties: { '^x-': TEXT } },
  'named keys and keys by pattern': args(
    { id: TEXT },
    { patternProperties: { '^x-': TEXT }, additionalProperties: false },
  ),
  'a union of objects': args(
    { shape: { oneOf: [POINT, args({ r: NUMBER }, { required: ['r'] })] } },
    { required: ['shape'] },
  ),
  'a tagged union': args({
    event: {
      oneOf: [
        args({ type: { const: 'click' }, at: POINT }, { required: ['type', 'at'] }),
        args({ type: { const: 'key' }, code: TEXT }, { required: ['type', 'code'] }),
      ],
    },
  }),
  'text or a list of it': args({ to: { anyOf: [TEXT, { type: 'array', items: TEXT }] } }, { required: ['to'] }),
  'allOf of objects': args({ a: { allOf: [POINT, args({ z: NUMBER }, { required: ['z'] })] } }, { required: ['a'] }),
  'allOf around one reference': args(
    { at: { allOf: [{ $ref: '#/$defs/Point' }], description: 'where' } },
    { $defs: { Point: POINT } },
  ),
  'root allOf': { type: 'object', allOf: [args({ a: TEXT }, { required: ['a'] }), args({ b: NUMBER })] },
  'root anyOf': { anyOf: [args({ a: TEXT }, { required: ['a'] }), args({ b: NUMBER }, { required: ['b'] })] },
  'one of two names is required': args({ a: TEXT, b: TEXT }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
  'a reference': args(
    { from: { $ref: '#/$defs/Point' }, to: { $ref: '#/$defs/Point' } },
    { required: ['from'], $defs: { Point: POINT } },
  ),
  'definitions of draft 7': {
    $schema: DRAFT_07,
    ...args({ at: { $ref: '#/definitions/point' } }, { definitions: { point: POINT } }),
  },
  'a reference to a list': args(
    { tags: { $ref: '#/$defs/tags' } },
    { $defs: { tags: { type: 'array', items: TEXT } } },
  ),
  'a reference to a scalar': args(
    { id: { $ref: '#/$defs/id' } },
    { required: ['id'], $defs: { id: { type: 'string', format: 'uuid' } } },
  ),
  'references to references': args({ a: { $ref: '#/$defs/a' } }, { $defs: { a: { $ref: '#/$defs/b' }, b: POINT } }),
  'a recursive tree': args(
    { root: { $ref: '#/$defs/node' } },
    {
      required: ['root'],
      $defs: {
        node: args({ name: TEXT, kids: { type: 'array', items: { $ref: '#/$defs/node' } } }, { required: ['name'] }),
      },
    },
  ),
  'recursion through the root': args({ name: TEXT, child: { $ref: '#' } }, { required: ['name'] }),
  'mutual recursion': args(
    { a: { $ref: '#/$defs/a' } },
    { $defs: { a: args({ b: { $ref: '#/$defs/b' } }), b: args({ a: { $ref: '#/$defs/a' } }) } },
  ),
  'a tuple of draft 7': {
    $schema: DRAFT_07,
    ...args(
      { pair: { type: 'array', items: [TEXT, NUMBER], minItems: 2, additionalItems: false } },
      { required: ['pair'] },
    ),
  },
  'a tuple with a rest': {
    $schema: DRAFT_07,
    ...args({ row: { type: 'array', items: [TEXT], minItems: 1, additionalItems: NUMBER } }),
  },
  prefixItems: args(
    { pair: { type: 'array', prefixItems: [TEXT, NUMBER], minItems: 2, items: false } },
    { required: ['pair'] },
  ),
  'names that need quotes': args(
    { 'x-y': TEXT, '1st': NUMBER, 'a b': TEXT, $ok: TEXT, class: TEXT, "it's": TEXT },
    { required: ['1st'] },
  ),
  'names of other languages': args({ größe: NUMBER, 名前: TEXT }, { required: ['größe'] }),
  'names of Object.prototype': args({ toString: TEXT, valueOf: NUMBER }, { required: ['toString'] }),
  'bounds of every kind': args({
    s: { type: 'string', minLength: 1, maxLength: 20, pattern: '^[a-z]+$' },
    n: { type: 'number', minimum: 0, exclusiveMaximum: 1, multipleOf: 0.1 },
    l: { type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 1, maxItems: 3, uniqueItems: true },
    o: { type: 'object', additionalProperties: TEXT, minProperties: 1, maxProperties: 3 },
  }),
  'formats and defaults': args({
    at: { type: 'string', format: 'date-time' },
    mail: { type: 'string', format: 'email', default: 'a@example.com' },
    limit: { type: 'integer', default: 20, minimum: 1, maximum: 100 },
  }),
  'descriptions that try to get out': args({
    a: { type: 'string', description: 'ends */ here; } & { evil: true' },
    b: { type: 'string', description: 'line one\nline two\r\n\u2028line three' },
    c: { type: 'string', description: '/* nested */ // and more \u202E reversed' },
  }),
  'boolean schemas': args({ any: true, none: false }, { required: ['any'] }),
  'an empty schema as a property': args({ value: {} }, { required: ['value'] }),
  'required but not declared': args({ a: TEXT }, { required: ['a', 'b'] }),
  'properties without a type': {
    properties: { a: { items: TEXT }, b: { properties: { c: NUMBER } } },
    required: ['a'],
  },
  'if and then': args(
    { mode: { enum: ['a', 'b'] }, key: TEXT },
    { if: { properties: { mode: { const: 'b' } } }, else: { required: ['key'] } },
  ),
  'dependent names': args({ card: TEXT, address: TEXT }, { dependentRequired: { card: ['address'] } }),
  not: args({ name: { type: 'string', not: { const: 'root' } } }, { required: ['name'] }),
  'several types with keywords of each': args({
    value: { type: ['string', 'array', 'object'], items: NUMBER, properties: { a: TEXT } },
  }),
  'titles and deprecation': args({ old: { type: 'string', title: 'Old name', deprecated: true } }, { title: 'Rename' }),
  'a search filter as servers have it': args(
    {
      query: { type: 'string', minLength: 1, description: 'What to look for.' },
      filter: args(
        {
          status: { type: 'array', items: { type: 'string', enum: ['open', 'closed'] }, description: 'Any of these.' },
          created: args({ after: { type: 'string', format: 'date' }, before: { type: 'string', format: 'date' } }),
          assignee: { anyOf: [TEXT, { type: 'null' }] },
        },
        { additionalProperties: false },
      ),
      page: { type: 'integer', minimum: 1, default: 1 },
    },
    { required: ['query'], additionalProperties: false },
  ),
}
