import type { JsonObject } from './json.ts'
import { dialectOf } from './schema/dialect.ts'
import { normalKeywords } from './schema/keywords.ts'
import type { Detail } from './signature/limits.ts'
import {
  DETAIL_STEPS,
  LINE_MAX_CHARS,
  RESULT_SHARE,
  SIGNATURE_HARD_MAX_CHARS,
  SIGNATURE_MAX_CHARS,
} from './signature/limits.ts'
import { commentOn } from './signature/object-type.ts'
import type { Printing } from './signature/printing.ts'
import type { SchemaReading } from './signature/schema-reading.ts'
import { createReading } from './signature/schema-reading.ts'
import { schemaType } from './signature/schema-type.ts'
import type { TypeNames } from './signature/type-names.ts'
import { createTypeNames } from './signature/type-names.ts'

export interface SignatureOptions {
  /** Longest answer in UTF-16 units; 1,200 where it is not said. What does not fit is left out and said to be. */
  readonly maxChars?: number
  /** `named`: a result that takes more than a few words is only named; whoever shows the signature shows it beside. */
  readonly result?: 'whole' | 'named'
}

/**
 * The call of a tool in TypeScript: `(args: { title: string; labels?: string[] /* ≤ 10 *\/ }) => Promise<Issue>`, then
 * the types that it names, one a line. Any JSON will do as a schema; the answer always parses.
 */
export function signatureOf(
  tool: { readonly name: string; readonly inputSchema: JsonObject; readonly outputSchema?: JsonObject },
  options: SignatureOptions = {},
): string {
  const maxChars = Math.min(options.maxChars ?? SIGNATURE_MAX_CHARS, SIGNATURE_HARD_MAX_CHARS)
  const names = createTypeNames()
  const whole = tool.outputSchema === undefined ? NO_RESULT : resultType(tool.outputSchema, maxChars, names)
  const result = options.result === 'named' ? { ...whole, definitions: [] } : whole
  const around = `(args?: ) => Promise<${result.type}>`.length + lengthOf(result.definitions)
  const args = fitted(tool.inputSchema, { rootName: 'Args', maxChars: maxChars - around, names })
  // Arguments are an object even where the schema does not say so.
  const type = args.type === 'unknown' ? '{ [key: string]: unknown }' : args.type
  const optional = needsArguments(tool.inputSchema) ? '' : '?'
  return [`(args${optional}: ${type}) => Promise<${result.type}>`, ...args.definitions, ...result.definitions].join(
    '\n',
  )
}

/** The type that a schema describes, for results: the type, then the types that it names, as a signature names them. */
export function typeOf(schema: JsonObject, options: SignatureOptions = {}): string {
  const maxChars = Math.min(options.maxChars ?? SIGNATURE_MAX_CHARS, SIGNATURE_HARD_MAX_CHARS)
  const printed = fitted(schema, { rootName: resultName(schema), maxChars, names: createTypeNames() })
  return [printed.type, ...printed.definitions].join('\n')
}

interface PrintedTypes {
  readonly type: string
  readonly definitions: readonly string[]
}

interface Room {
  readonly rootName: string
  readonly maxChars: number
  readonly names: TypeNames
}

const NO_RESULT: PrintedTypes = { type: 'unknown', definitions: [] }

/** Short results stand in the signature, longer ones are named: by their title where it is a name, else `Result`. */
function resultType(schema: JsonObject, maxChars: number, names: TypeNames): PrintedTypes {
  const rootName = resultName(schema)
  const printed = fitted(schema, { rootName, maxChars: Math.floor(maxChars * RESULT_SHARE), names })
  if (printed.type.length <= LINE_MAX_CHARS && !printed.type.includes('\n')) return printed
  const name = names.fresh(rootName)
  return { type: name, definitions: [`type ${name} = ${printed.type}`, ...printed.definitions] }
}

function resultName({ title }: JsonObject): string {
  return typeof title === 'string' && /^[A-Za-z][\w -]{0,39}$/.test(title) ? title : 'Result'
}

/** The most detailed print that fits. */
function fitted(schema: JsonObject, room: Room): PrintedTypes {
  const reading = createReading(schema)
  for (const detail of DETAIL_STEPS) {
    const printed = attempt(reading, { ...room, detail })
    if (printed !== undefined) return printed
  }
  return { type: '{ [key: string]: unknown /* too large to show */ }', definitions: [] }
}

function attempt(reading: SchemaReading, options: Room & { readonly detail: Detail }): PrintedTypes | undefined {
  const { maxChars } = options
  const printing = createPrinting(reading, options)
  const { definitions } = printing
  const schema = reading.references.document.root
  const place = { base: reading.references.document, depth: 0, indent: '' }
  const root = printing.type(schema, place).text
  const rootName = [...definitions].find(([, definition]) => definition.schema === schema)?.[0]
  const texts: string[] = []
  // Printing a definition may lead to further ones, which a map hands out in the same loop.
  for (const [name, definition] of definitions) {
    if (printing.isFull()) return undefined
    const note = commentOn(printing, definition.schema, options.detail.optionalDescriptionChars).trimStart()
    const type = printing.type(definition.schema, { ...place, base: definition.base }).text
    texts.push(`type ${name} = ${note === '' ? '' : `${note} `}${type}`)
  }
  // The type of the whole first: the others are read from there.
  const ordered = texts.toSorted((a, b) => Number(isOf(rootName, b)) - Number(isOf(rootName, a)))
  const printed = { type: rootName ?? root, definitions: ordered }
  return printing.isFull() || lengthOf([printed.type, ...texts]) > maxChars ? undefined : printed
}

function isOf(name: string | undefined, definition: string): boolean {
  return name !== undefined && definition.startsWith(`type ${name} = `)
}

function createPrinting(reading: SchemaReading, options: Room & { readonly detail: Detail }): Printing {
  let left = options.maxChars
  const printing: Printing = {
    ...reading,
    detail: options.detail,
    names: options.names,
    rootName: options.rootName,
    definitions: new Map(),
    written(text) {
      left -= text.length
      return text
    },
    isFull: () => left < 0,
    type: (subschema, place) => schemaType(printing, subschema, place),
  }
  return printing
}

/** Whether a call without arguments cannot be right. */
function needsArguments(schema: JsonObject): boolean {
  const { required } = normalKeywords(schema, dialectOf(schema))
  if (Array.isArray(required) && required.length > 0) return true
  return ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'minProperties'].some((keyword) => keyword in schema)
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0)
}
