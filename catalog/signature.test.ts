import { existsSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import path from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { startCpuClock } from './testing/start-cpu-clock.ts'
import type { JsonObject, JsonValue } from './json.ts'
import { isJsonObject } from './json.ts'
import { signatureOf, typeOf } from './signature.ts'
import { SAMPLE_SCHEMAS } from './signature/testing/sample-schemas.ts'

function signature(inputSchema: JsonObject, maxChars = Infinity): string {
  return signatureOf({ name: 'tool', inputSchema }, { maxChars })
}

function anObject(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: 'object', properties, ...more }
}

/** The type of one property, with its comment. */
function printed(schema: JsonValue, more: JsonObject = {}): string {
  const text = signature(anObject({ a: schema }, { required: ['a'], ...more }))
  return text.slice('(args: { a: '.length, text.indexOf(' }) => Promise<unknown>'))
}

/** Parses as types and comments and nothing else: what got out of a comment or a literal would be left over, or not parse. */
function isTypesOnly(text: string): boolean {
  const left = stripTypeScriptTypes(`type T = ${text}`)
  return left.replace(/\/\*.*?\*\//g, '').trim() === ''
}

describe('signatureOf', () => {
  test('prints the call that a model can write', () => {
    const inputSchema = anObject(
      { labels: { type: 'array', items: { type: 'string' }, maxItems: 10 }, title: { type: 'string' } },
      { required: ['title'] },
    )
    const outputSchema = anObject(
      { number: { type: 'integer' }, url: { type: 'string', format: 'uri', description: 'Where a person reads it.' } },
      { title: 'Issue', required: ['number', 'url'] },
    )
    expect(signatureOf({ name: 'create_issue', inputSchema, outputSchema })).toBe(
      [
        '(args: { title: string; labels?: string[] /* ≤ 10 */ }) => Promise<Issue>',
        'type Issue = {',
        '  number: number /* integer */',
        '  url: string /* uri; Where a person reads it. */',
        '}',
      ].join('\n'),
    )
  })

  test('makes the arguments optional where none is required', () => {
    expect(signature(anObject({ a: { type: 'string' } }))).toBe('(args?: { a?: string }) => Promise<unknown>')
    expect(signature({})).toBe('(args?: { [key: string]: unknown }) => Promise<unknown>')
    expect(signature({ oneOf: [anObject({}, { required: ['a'] })] })).toMatch(/^\(args: /)
  })

  test.each<[string, JsonValue]>([
    ["'asc' | 'desc'", { type: 'string', enum: ['asc', 'desc'] }],
    ["('x' | 1 | null)[]", { type: 'array', items: { enum: ['x', 1, null] } }],
    ["'fixed'", { const: 'fixed' }],
    ["[1, 'x', { b: true }]", { const: [1, 'x', { b: true }] }],
    ['string | null', { type: ['string', 'null'] }],
    ['string | null', { type: 'string', nullable: true }],
    ['string | number', { oneOf: [{ type: 'string' }, { type: 'number' }] }],
    [
      '{ x?: string } & { y?: string }',
      { allOf: [anObject({ x: { type: 'string' } }), anObject({ y: { type: 'string' } })] },
    ],
    [
      '[string, number?, ...boolean[]] /* ≥ 1 */',
      { prefixItems: [{ type: 'string' }, { type: 'number' }], items: { type: 'boolean' }, minItems: 1 },
    ],
    ['[string?] /* ≤ 1 */', { items: [{ type: 'string' }], additionalItems: false, maxItems: 1 }],
    ['{ [key: string]: number }', { type: 'object', additionalProperties: { type: 'number' } }],
    ['{ [key: string]: string /* keys matching ^x- */ }', { patternProperties: { '^x-': { type: 'string' } } }],
    [
      "{ 'x-y'?: string; \"it\\'s\"?: string }".replaceAll('"', "'"),
      anObject({ 'x-y': { type: 'string' }, "it's": { type: 'string' } }),
    ],
    ['unknown', true],
    ['never', false],
    ['number /* integer; 1–100; default 20 */', { type: 'integer', minimum: 1, maximum: 100, default: 20 }],
    ['number /* > 0, ≤ 1; multiple of 0.5 */', { type: 'number', exclusiveMinimum: 0, maximum: 1, multipleOf: 0.5 }],
    [
      'string /* date; 1–20 chars; matches ^[0-9-]+$ */',
      { type: 'string', format: 'date', minLength: 1, maxLength: 20, pattern: '^[0-9-]+$' },
    ],
    [
      'string[] /* exactly 3; distinct; each ≤ 5 chars */',
      { type: 'array', minItems: 3, maxItems: 3, uniqueItems: true, items: { type: 'string', maxLength: 5 } },
    ],
    ['string /* deprecated; Use b. */', { type: 'string', deprecated: true, description: 'Use b.' }],
    ['string /* further conditions: see the schema */', { type: 'string', not: { const: 'x' } }],
  ])('prints %s', (text, schema) => {
    expect(printed(schema)).toBe(text)
  })

  test('names references and recursion, and gives the types after', () => {
    const node = anObject({ kids: { type: 'array', items: { $ref: '#/$defs/tree-node' } } })
    expect(signature(anObject({ root: { $ref: '#/$defs/tree-node' } }, { $defs: { 'tree-node': node } }))).toBe(
      '(args?: { root?: TreeNode }) => Promise<unknown>\ntype TreeNode = { kids?: TreeNode[] }',
    )
    expect(signature(anObject({ child: { $ref: '#' } }))).toBe(
      '(args?: Args) => Promise<unknown>\ntype Args = { child?: Args }',
    )
  })

  test('two definitions with one name get two names, and none is called like what TypeScript has', () => {
    const text = signature(
      anObject(
        {
          a: { $ref: '#/$defs/x' },
          b: { $ref: '#/definitions/x' },
          c: { $ref: '#/$defs/promise' },
          d: { $ref: '#/$defs/1' },
        },
        {
          $defs: { x: { type: 'string' }, promise: { type: 'number' }, 1: { type: 'null' } },
          definitions: { x: { type: 'boolean' } },
        },
      ),
    )
    expect(text).toContain('{ a?: X; b?: X2; c?: Promise2; d?: Type1 }')
    expect(text.split('\n').slice(1)).toEqual([
      'type X = string',
      'type X2 = boolean',
      'type Promise2 = number',
      'type Type1 = null',
    ])
  })

  test('a reference to nothing is said to be one', () => {
    expect(printed({ $ref: '#/$defs/gone' })).toBe('unknown /* #/$defs/gone: not in the schema */')
  })

  test.each([
    'ends */ here',
    'ends *\u200B/ here',
    'ends *\n/ here',
    '*/*/*/',
    '*',
    '/*',
    '*/ }) => void; evil(); type X = ({ /*',
    'line\nbreak\r\nand\u2028more\u2029lines\u0085',
    'reversed \u202E and \u2066 isolated',
    'tags \u{E0041}\u{E0042} and \uFEFF marks',
    '\uD800 alone',
    `${'x'.repeat(199)}*/`,
    `${'x'.repeat(198)}*/`,
  ])('nothing in a description gets out of its comment: %j', (description) => {
    const texts = [
      signature(anObject({ a: { type: 'string', description } })),
      signature(
        anObject({
          a: anObject({
            b: { type: 'string', description, default: description, pattern: description, format: description },
          }),
        }),
      ),
      signature(
        anObject(
          { [description]: { enum: [description] }, x: { $ref: `#/${description}` } },
          { required: [description] },
        ),
      ),
      signature({ patternProperties: { [description]: {} }, dependentRequired: { [description]: [description] } }),
    ]
    for (const text of texts) {
      expect(isTypesOnly(text)).toBe(true)
      expect(text).not.toMatch(/[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u0085\r]/u)
    }
    expect(texts[0]?.split('\n')).toHaveLength(description.length > 50 ? 3 : 1)
  })

  test('stays within its budget and says what it leaves out', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [
        `option_${i}`,
        { type: 'string', description: `What option ${i} is for, at some length.` },
      ]),
    )
    const schema = anObject({ ...properties, needed: { type: 'number' } }, { required: ['needed'] })
    const full = signature(schema)
    expect(full).toContain('What option 59 is for')
    expect(full).not.toContain('not shown')
    for (const maxChars of [4_000, 2_000, 1_200, 600, 300]) {
      const text = signature(schema, maxChars)
      expect(text.length).toBeLessThanOrEqual(maxChars)
      expect(text).toContain('needed: number')
      expect(isTypesOnly(text)).toBe(true)
    }
    expect(signature(schema, 600)).toMatch(/\[key: string\]: unknown \/\* not shown: \d+ optional: option_\d+, /)
  })

  test('cuts long enums, long unions, deep objects and many definitions, and says so', () => {
    const long = anObject({ a: { enum: Array.from({ length: 500 }, (_, i) => `value ${i}`) } })
    expect(signature(long, 1_200)).toMatch(/'value 0' \| .* \| string \/\* \d+ more values not shown \*\//)
    let deep: JsonObject = { type: 'string', description: 'deep down '.repeat(20) }
    for (let level = 0; level < 200; level += 1) deep = anObject({ [`level_${level}`]: deep })
    expect(signature(deep, 1_200)).toContain('not shown')
    expect(isTypesOnly(signature(deep))).toBe(true)
    const definitions = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`definition_${i}`, anObject({ some_property_name: { type: 'string' } })]),
    )
    const many = anObject(
      Object.fromEntries(Object.keys(definitions).map((name) => [name, { $ref: `#/$defs/${name}` }])),
      { $defs: definitions },
    )
    const cut = signature(many, 1_200)
    expect(cut.length).toBeLessThanOrEqual(1_200)
    expect(cut).toContain('not shown')
  })

  test('a description costs nothing where it does not fit, not the arguments', () => {
    const schema = anObject(
      { a: { type: 'string', description: 'x '.repeat(100_000) }, b: { type: 'integer' } },
      { required: ['b'] },
    )
    expect(signature(schema, 150)).toContain('b: number')
  })

  test('any JSON makes a signature that parses, within any budget, the same each time', () => {
    fc.assert(
      fc.property(
        aStrangeSchema(),
        aStrangeSchema(),
        fc.constantFrom(150, 300, 1_200, Infinity),
        (input, output, maxChars) => {
          const tool = { name: 'tool', inputSchema: input, outputSchema: output }
          const text = signatureOf(tool, { maxChars })
          expect(text.length).toBeLessThanOrEqual(maxChars)
          expect(isTypesOnly(text)).toBe(true)
          expect(signatureOf(structuredClone(tool), { maxChars })).toBe(text)
          expect(isTypesOnly(typeOf(output, { maxChars }))).toBe(true)
        },
      ),
      { numRuns: 1_500 },
    )
  })

  test('time grows with the schema, not faster', () => {
    printTime(500)
    // 8 times the schema: a quadratic printer takes 64 times.
    const short = Math.max(2, printTime(1_000))
    expect(printTime(8_000) / short).toBeLessThan(40)
  })

  test('a doubling chain of references is named, not unrolled', () => {
    const definitions = Object.fromEntries(
      Array.from({ length: 40 }, (_, i): [string, JsonObject] => {
        const next = { $ref: `#/$defs/d${i + 1}` }
        return [`d${i}`, i === 39 ? { type: 'string' } : { anyOf: [next, { type: 'array', items: next }] }]
      }),
    )
    const text = signature(anObject({ a: { $ref: '#/$defs/d0' } }, { $defs: definitions }))
    expect(text.split('\n')).toHaveLength(41)
  })
})

describe('typeOf', () => {
  test('prints a result of any type', () => {
    expect(
      typeOf({ type: 'array', items: { $ref: '#/$defs/row' }, $defs: { row: anObject({ id: { type: 'integer' } }) } }),
    ).toBe('Row[]\ntype Row = { id?: number /* integer */ }')
    expect(typeOf({})).toBe('unknown')
  })
})

describe('the sample of schemas', () => {
  test.each(Object.entries(SAMPLE_SCHEMAS))('%s parses, whole and cut', (_name, schema) => {
    for (const maxChars of [100, 200, 400, Infinity]) {
      const text = signature(schema, maxChars)
      expect(isTypesOnly(text)).toBe(true)
      expect(text.length).toBeLessThanOrEqual(maxChars)
    }
  })
})

const toolsFile = path.resolve(import.meta.dirname, '../../shared/bench/tools.jsonl')

describe.skipIf(!existsSync(toolsFile))('the schemas of public tools', () => {
  test('all fit a search hit, parse, and nearly all are whole', () => {
    const lines = readFileSync(toolsFile, 'utf8').trim().split('\n')
    let whole = 0
    for (const [index, line] of lines.entries()) {
      const { name, inputSchema }: { name: string; inputSchema: JsonObject } = JSON.parse(line)
      const text = signatureOf({ name, inputSchema })
      expect(text.length).toBeLessThanOrEqual(1_200)
      if (!text.includes('not shown')) whole += 1
      // Each tenth, because parsing takes ten times as long as printing.
      expect(index % 10 !== 0 || isTypesOnly(text)).toBe(true)
    }
    expect(whole / lines.length).toBeGreaterThan(0.99)
  })
})

/** As many properties as alternatives, behind references. */
function wide(count: number): JsonObject {
  return anObject(Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, { $ref: '#/$defs/a' }])), {
    $defs: { a: { anyOf: Array.from({ length: count }, (_, i) => ({ const: i })) } },
  })
}

/** CPU time in ms, the least of several. */
function printTime(count: number): number {
  const schema = wide(count)
  const times = Array.from({ length: 5 }, () => {
    const spentMs = startCpuClock()
    signature(schema)
    signature(schema, 1_200)
    return spentMs()
  })
  return Math.min(...times)
}

/** Schemas with the right words in the wrong places, and text that would like to get out. */
function aStrangeSchema(): fc.Arbitrary<JsonObject> {
  const keywords =
    'type properties items required enum const anyOf oneOf allOf not $ref $id $defs a pattern format default description title ' +
    'nullable additionalProperties patternProperties prefixItems uniqueItems minLength maxItems minItems minimum if $anchor ' +
    'dependencies dependentRequired deprecated multipleOf'
  const texts = [
    'string',
    'object',
    'array',
    'integer',
    '#',
    '#/$defs/a',
    '#/properties/a',
    '#a',
    '*/',
    '/*',
    '//',
    "'",
    '`',
    '\\',
    '\n',
    '\u2028',
    '}',
    'x',
  ]
  const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.constantFrom<unknown>(...texts, true, false, 0, 1, -1.5, 1e21, null),
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.array(fc.constantFrom(...texts), { maxLength: 3 }).map((parts) => parts.join('')),
      fc.array(tie('schema'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(fc.constantFrom(...keywords.split(' ')), fc.constantFrom(...texts)), tie('schema'), {
        maxKeys: 5,
      }),
    ),
  }))
  return fc.dictionary(fc.constantFrom(...keywords.split(' ')), schema, { maxKeys: 6 }).map((made) => {
    const plain: JsonValue = JSON.parse(JSON.stringify(made))
    return isJsonObject(plain) ? plain : {}
  })
}
