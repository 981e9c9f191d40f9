import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import { MASK, isCredentialName } from './credential-name.ts'
import { describeExpected, kindOf, quoteValue } from './expectation.ts'
import { nearestName } from './nearest-name.ts'
import type { SchemaNode } from './schema-node.ts'

/** Keys and array positions from the root of the value. */
export type ValuePath = readonly (string | number)[]

export interface Finding {
  readonly path: ValuePath
  readonly message: string
}

export interface FindOptions {
  /** A value as messages may show it: never a secret. */
  readonly quote: (value: JsonValue, path: ValuePath) => string
  /** Strings that cannot be judged yet, because they hold a reference. */
  readonly isOpen: (text: string) => boolean
  /** A list with so many problems is read no further; default: each is told. */
  readonly most?: number
}

/** Everything that is wrong with a value, written for the person who wrote it. */
export function findProblems(node: SchemaNode, value: JsonValue, options: FindOptions): readonly Finding[] {
  return findIn({ node, value, path: [] }, options)
}

interface Place {
  readonly node: SchemaNode
  readonly value: JsonValue
  readonly path: ValuePath
}

function findIn(place: Place, options: FindOptions): readonly Finding[] {
  const { node, value } = place
  if (node.anyOf) return findInBranches(place, node.anyOf, options)
  if (node.enum) return node.enum.includes(value) || isOpen(value, options) ? [] : mismatch(place, options)
  switch (node.type) {
    case 'object':
      return isJsonObject(value) ? findInObject({ ...place, value }, options) : mismatch(place, options)
    case 'array':
      return Array.isArray(value) ? findInArray(place, value, options) : mismatch(place, options)
    case 'string':
      return typeof value === 'string' && (isOpen(value, options) || isGoodText(node, value))
        ? []
        : mismatch(place, options)
    case 'integer':
      return typeof value === 'number' && isInRange(node, value) ? [] : mismatch(place, options)
    case 'boolean':
      return typeof value === 'boolean' ? [] : mismatch(place, options)
    case undefined:
      break
  }
  return []
}

/** Of several forms the one that was probably meant: whose kind fits, with the fewest problems. */
function findInBranches(place: Place, branches: readonly SchemaNode[], options: FindOptions): readonly Finding[] {
  const fitting = branches.filter((branch) => isOfKind(branch, place.value))
  if (fitting.length === 0) return mismatch(place, options)
  const findings = fitting.map((node) => findIn({ ...place, node }, options))
  const best = findings.reduce((least, next) => (next.length < least.length ? next : least))
  return namingOtherForms(best, place, fitting)
}

/** A key that tells one form apart may be missing because another form was meant: its key is named too. */
function namingOtherForms(
  findings: readonly Finding[],
  place: Place,
  forms: readonly SchemaNode[],
): readonly Finding[] {
  const { value, path } = place
  const keys = forms.flatMap(({ required }) => required?.slice(0, 1) ?? [])
  if (keys.length < 2 || !isJsonObject(value) || keys.some((key) => value[key] !== undefined)) return findings
  return findings.map((finding) => {
    const missing = finding.path.length === path.length + 1 ? finding.path.at(-1) : undefined
    const others = keys.filter((key) => key !== missing).map((key) => `"${key}"`)
    if (others.length === keys.length) return finding
    return { ...finding, message: `${finding.message}, or ${others.join(' or ')} in its place` }
  })
}

function isOfKind(node: SchemaNode, value: JsonValue): boolean {
  if (node.enum) return node.enum.includes(value)
  if (node.type === 'object') return isJsonObject(value)
  if (node.type === 'array') return Array.isArray(value)
  return node.type === (typeof value === 'number' ? 'integer' : typeof value)
}

function findInObject(place: Place & { readonly value: JsonObject }, options: FindOptions): readonly Finding[] {
  const { node, value, path } = place
  const absent = (node.required ?? []).filter((key) => value[key] === undefined)
  return [
    ...absent.map((key) => ({
      path: [...path, key],
      message: `is missing; expected ${describeExpected(node.properties?.[key] ?? {})}`,
    })),
    ...fieldsToRead(node, value).flatMap(([key, child]) => {
      const childNode = childOf(node, key)
      if (childNode) return findIn({ node: childNode, value: child, path: [...path, key] }, options)
      return node.additionalProperties === false ? [unknownKey(place, key, options)] : []
    }),
  ]
}

/** Where any other key may stand too, the known ones alone: a stranger's object of a million keys is not read through. */
function fieldsToRead(node: SchemaNode, value: JsonObject): readonly (readonly [string, JsonValue])[] {
  if (node.additionalProperties === false || node.patternProperties) return Object.entries(value)
  return Object.keys(node.properties ?? {}).flatMap((key) => {
    const child = Object.hasOwn(value, key) ? value[key] : undefined
    return child === undefined ? [] : [[key, child] as const]
  })
}

/** The schema of one key; undefined where it has none. */
export function childOf(node: SchemaNode, key: string): SchemaNode | undefined {
  const own = Object.hasOwn(node.properties ?? {}, key) ? node.properties?.[key] : undefined
  if (own) return own
  return Object.entries(node.patternProperties ?? {}).find(([pattern]) => new RegExp(pattern, 'u').test(key))?.[1]
}

function unknownKey(place: Place & { readonly value: JsonObject }, key: string, options: FindOptions): Finding {
  const path = [...place.path, key]
  const child = place.value[key] ?? null
  const [pattern] = Object.keys(place.node.patternProperties ?? {})
  if (pattern !== undefined) return { path, message: `the name ${JSON.stringify(key)} does not match ${pattern}` }
  const known = Object.keys(place.node.properties ?? {})
  const nearest = nearestName(key, known)
  const meant = nearest === undefined ? undefined : place.node.properties?.[nearest]
  // A key that was meant for a secret holds one.
  const isSecret = meant?.['x-secret'] !== undefined || isCredentialName(key)
  const shown = isSecret ? MASK : options.quote(child, path)
  const way = nearest === undefined ? `known keys: ${known.join(', ')}` : `did you mean "${nearest}"?`
  return { path, message: `unknown key "${key}" with value ${shown}; ${way}` }
}

function findInArray(place: Place, value: readonly JsonValue[], options: FindOptions): readonly Finding[] {
  const { node, path } = place
  const isLong = value.length > (node.maxItems ?? Number.POSITIVE_INFINITY)
  if (isLong || value.length < (node.minItems ?? 0)) return mismatch(place, options)
  const items = node.items
  if (!items) return []
  const found: Finding[] = []
  for (const [index, item] of value.entries()) {
    found.push(...findIn({ node: items, value: item, path: [...path, index] }, options))
    if (options.most !== undefined && found.length >= options.most) break
  }
  return found
}

function isOpen(value: JsonValue, options: FindOptions): boolean {
  return typeof value === 'string' && options.isOpen(value)
}

function isGoodText(node: SchemaNode, text: string): boolean {
  if (text.length < (node.minLength ?? 0)) return false
  return node.pattern === undefined || new RegExp(node.pattern, 'u').test(text)
}

function isInRange(node: SchemaNode, value: number): boolean {
  const isLow = value < (node.minimum ?? Number.NEGATIVE_INFINITY)
  return Number.isInteger(value) && !isLow && value <= (node.maximum ?? Number.POSITIVE_INFINITY)
}

function mismatch({ node, value, path }: Place, options: FindOptions): readonly Finding[] {
  const shown = node['x-secret'] === undefined ? options.quote(value, path) : MASK
  return [{ path, message: `is ${shown}${kindOf(value)}; expected ${describeExpected(node)}${hint(node, value)}` }]
}

/** How the same is written as what was expected, where it can be guessed. */
function hint(node: SchemaNode, value: JsonValue): string {
  if (typeof value === 'number' || typeof value === 'boolean') {
    return takesText(node, String(value)) ? '; write it in quotes' : ''
  }
  if (typeof value !== 'string') return ''
  const near = node.enum && nearestName(value, node.enum.map(String))
  if (near !== undefined) return `; did you mean "${near}"?`
  if (takesListOf(node, value)) return '; write it as a list, ["…"]'
  const isBare =
    (node.type === 'integer' && /^\d+$/.test(value)) || (node.type === 'boolean' && /^(true|false)$/.test(value))
  return isBare ? `; write ${value} without quotes` : ''
}

function takesText(node: SchemaNode, text: string): boolean {
  if (node.anyOf) return node.anyOf.some((branch) => takesText(branch, text))
  return node.type === 'string' && node.enum === undefined && isGoodText(node, text)
}

function takesListOf(node: SchemaNode, text: string): boolean {
  if (node.anyOf) return node.anyOf.some((branch) => takesListOf(branch, text))
  return node.type === 'array' && node.items !== undefined && takesText(node.items, text)
}

export const quotePlainly: FindOptions['quote'] = (value) => quoteValue(value)
