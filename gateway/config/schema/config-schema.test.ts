import * as fc from 'fast-check'
import { Check } from 'typebox/value'
import { expect, test } from 'vitest'
import type { JsonValue } from '../../../catalog/json.ts'
import { findProblems, quotePlainly } from '../../schema/find-problems.ts'
import type { SchemaNode } from '../../schema/schema-node.ts'
import { appliesHow } from '../applies.ts'
import { configFileSchema } from '../read-config.ts'
import { configSchema } from './config-schema.ts'
import { fileSchemaOf } from './file-schema.ts'
import { fillDefaults } from './fill-defaults.ts'

const judgeAll = { quote: quotePlainly, isOpen: () => false }

test('problems are found exactly where an independent validator refuses the same schema', () => {
  fc.assert(
    fc.property(valueFor(configFileSchema), (value) => {
      const plain: JsonValue = JSON.parse(JSON.stringify(value))
      expect(findProblems(configFileSchema, plain, judgeAll).length === 0).toBe(Check(configFileSchema, plain))
    }),
    { numRuns: 1_000 },
  )
})

test('what has no problems as a file is whole once defaults are filled in, and filling in twice changes nothing', () => {
  let whole = 0
  fc.assert(
    fc.property(valueFor(configFileSchema, 'valid'), (value) => {
      const plain: JsonValue = JSON.parse(JSON.stringify(value))
      fc.pre(findProblems(configFileSchema, plain, judgeAll).length === 0)
      const filled = fillDefaults(configFileSchema, plain)
      expect(Check(configSchema, filled)).toBe(true)
      expect(fillDefaults(configFileSchema, filled)).toEqual(filled)
      whole += 1
    }),
    { numRuns: 300 },
  )
  expect(whole).toBeGreaterThanOrEqual(300)
})

test('every key has a description, and says whether it applies live or needs a restart', () => {
  const undescribed = leavesOf(configSchema).filter(({ node }) => node.description === undefined)
  expect(undescribed.map(({ path }) => path.join('.'))).toEqual([])
  for (const { path } of leavesOf(configSchema)) expect(['live', 'restart']).toContain(appliesHow(path))
  expect(appliesHow(['tools', 'toolSearch'])).toBe('live')
  expect(appliesHow(['gateway', 'port'])).toBe('restart')
})

test('in the schema of files whatever has a default may be left out, and secrets may be references', () => {
  expect(fileSchemaOf(configSchema).required).toEqual([])
  expect(Check(configFileSchema, {})).toBe(true)
  const provider = {
    api: 'openai-chat',
    baseUrl: 'https://x',
    apiKey: { file: 'key' },
    headers: { a: { command: ['x'] } },
  }
  expect(Check(configFileSchema, { models: { providers: { p: provider } } })).toBe(true)
  expect(Check(configSchema, { models: { providers: { p: provider } } })).toBe(false)
})

/** Values near a schema: mostly right, now and then of the wrong kind, with keys missing, misspelt or left over. */
function valueFor(node: SchemaNode, kind: 'near' | 'valid' = 'near'): fc.Arbitrary<unknown> {
  const right = rightValueFor(node, kind)
  const wrong = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null), fc.constant([]), fc.constant({}))
  return kind === 'valid' ? right : fc.oneof({ weight: 25, arbitrary: right }, { weight: 1, arbitrary: wrong })
}

function rightValueFor(node: SchemaNode, kind: 'near' | 'valid'): fc.Arbitrary<unknown> {
  if (kind === 'valid' && node['x-secret'] === 'value') return fc.constant('resolved')
  if (node.anyOf) return fc.oneof(...node.anyOf.map((branch) => valueFor(branch, kind)))
  if (node.enum) return fc.constantFrom(...node.enum)
  switch (node.type) {
    case 'object':
      return objectFor(node, kind)
    case 'array':
      return fc.array(valueFor(node.items ?? {}, kind), { minLength: node.minItems ?? 0, maxLength: 3 })
    case 'string':
      return fc.constantFrom(...(TEXTS.filter((text) => new RegExp(node.pattern ?? '', 'u').test(text)) ?? ['x']))
    case 'integer':
      return fc.integer({ min: node.minimum ?? -10, max: node.maximum ?? 10 })
    case 'boolean':
      return fc.boolean()
    case undefined:
      break
  }
  return fc.jsonValue({ maxDepth: 1 })
}

const TEXTS = [
  'a',
  'some text',
  'openai/gpt-5.4',
  'https://x.example/v1',
  'http://localhost:1',
  'sqlite:x.db',
  'X-Key',
  'id:ada',
]

function objectFor(node: SchemaNode, kind: 'near' | 'valid'): fc.Arbitrary<unknown> {
  const own = Object.fromEntries(
    Object.entries(node.properties ?? {}).map(([key, child]) => [key, valueFor(child, kind)]),
  )
  const requiredKeys = kind === 'valid' ? [...(node.required ?? [])] : []
  const properties = fc.record(own, { requiredKeys })
  const [child] = Object.values(node.patternProperties ?? {})
  const key = kind === 'valid' ? fc.constantFrom('a', 'b_c') : fc.constantFrom('a', 'b_c', 'b c', '', 'é')
  const mapped = child ? fc.dictionary(key, valueFor(child, kind), { maxKeys: 2 }) : fc.constant({})
  const extra = kind === 'valid' ? fc.constant({}) : fc.constantFrom({}, {}, {}, {}, {}, {}, {}, {}, { leftOver: 1 })
  return fc.tuple(properties, mapped, extra).map(([a, b, c]) => ({ ...a, ...b, ...c }))
}

interface Leaf {
  readonly path: readonly string[]
  readonly node: SchemaNode
}

function leavesOf(node: SchemaNode, path: readonly string[] = []): readonly Leaf[] {
  const children = Object.entries({ ...node.properties, ...node.patternProperties })
  const own = children.flatMap(([key, child]) => leavesOf(child, [...path, key]))
  const branches = (node.anyOf ?? [])
    .filter(({ type }) => type === 'object')
    .flatMap((branch) => leavesOf(branch, path))
  return own.length + branches.length > 0
    ? [...own, ...branches]
    : [{ path, node }].filter(() => node.type !== undefined)
}
