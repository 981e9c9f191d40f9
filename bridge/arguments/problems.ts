import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import type { InputProblem } from '../outcome.ts'
import { createRedactor } from '../redact.ts'
import { REDACTED } from '../redact/limits.ts'
import { isSecretName } from '../redact/secret-names.ts'
import { cutTextWithMark } from '../result/cut-text.ts'
import { PROBLEM_TEXT_BYTES, PROBLEMS_MAX } from './limits.ts'
import { childSchemas, describeParts, readPointer } from './faults/schema-place.ts'
import { requiredChoice } from './faults/required-choice.ts'
import { nearMiss } from './near-miss.ts'
import { quote } from './quote.ts'
import { pointedAt, propertyNames, propertySchema, schemaParts } from './schema-parts.ts'
import { foldUnions } from './faults/union-errors.ts'
import type { ValidationFault } from './faults/validation-fault.ts'

/** What is wrong with arguments, written for the one who has to mend them: at most 16 problems, each short. */
export function problemsOf(
  faults: readonly ValidationFault[],
  input: JsonValue,
  schema: JsonObject,
): readonly InputProblem[] {
  const place: Place = { input, schema }
  const problems = withoutConditions(foldUnions(faults)).map((fault) => bounded(problemOf(fault, place)))
  const different = [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()]
  if (different.length <= PROBLEMS_MAX) return different
  const more = different.length - (PROBLEMS_MAX - 1)
  return [...different.slice(0, PROBLEMS_MAX - 1), { path: '', expected: `${more} more problems are not listed` }]
}

/** That a condition was not met says nothing beside what it was not met by. */
function withoutConditions(faults: readonly ValidationFault[]): readonly ValidationFault[] {
  const telling = faults.filter(({ keyword }) => keyword !== 'if')
  return telling.length > 0 ? telling : faults
}

interface Place {
  readonly input: JsonValue
  readonly schema: JsonObject
}

function problemOf(fault: ValidationFault, place: Place): InputProblem {
  const { params } = fault
  if (fault.keyword === 'required' || fault.keyword === 'dependentRequired' || fault.keyword === 'dependencies') {
    return missingProblem(fault, place)
  }
  const unknown = params.additionalProperty ?? params.unevaluatedProperty ?? params.propertyName
  if (typeof unknown === 'string') return unknownProblem(fault, unknown, place)
  const value = valueAt(place.input, fault.instancePath)
  const got = value === undefined ? {} : { got: shown(value, fault.instancePath) }
  if (Array.isArray(params.allowedValues)) return listedProblem(fault, params.allowedValues, value)
  if (fault.keyword === 'type')
    return { path: fault.instancePath, expected: expectedAt(fault, place), ...got, ...hintOf(value, fault, place) }
  if (fault.keyword === 'anyOf' || fault.keyword === 'oneOf') {
    const expected = requiredChoice(fault, value, place.schema) ?? expectedAt(fault, place)
    return { path: fault.instancePath, expected, ...got }
  }
  if (params.allowedValue !== undefined)
    return { path: fault.instancePath, expected: quote(params.allowedValue), ...got }
  return { path: fault.instancePath, expected: wanted(fault), ...got }
}

function missingProblem(fault: ValidationFault, { input, schema }: Place): InputProblem {
  const name = typeof fault.params.missingProperty === 'string' ? fault.params.missingProperty : ''
  const parts = ownerSchemas(fault, schema)
  const type = describeParts(schemaParts(propertySchema(parts, name), schema), schema)
  const owner = valueAt(input, fault.instancePath)
  const written = isJsonObject(owner) ? nearMiss(name, unknownNames(owner, parts)) : undefined
  const suggestion = written === undefined ? {} : { suggestion: `${quote(written)} was given; call it ${quote(name)}` }
  return { path: joined(fault.instancePath, name), expected: `required: ${type}`, ...suggestion }
}

function unknownProblem(fault: ValidationFault, name: string, { input, schema }: Place): InputProblem {
  const parts = ownerSchemas(fault, schema)
  const owner = valueAt(input, fault.instancePath)
  const known = propertyNames(parts)
  const free = known.filter((other) => !isJsonObject(owner) || !Object.hasOwn(owner, other))
  const meant = nearMiss(name, free)
  const value =
    isJsonObject(owner) && Object.hasOwn(owner, name)
      ? { got: shown(owner[name], joined(fault.instancePath, name)) }
      : {}
  const suggestion = meant === undefined ? misplaced(name, owner, { parts, schema }) : `did you mean ${quote(meant)}?`
  return { path: joined(fault.instancePath, name), expected: 'no property of this name', ...value, suggestion }
}

interface Owner {
  readonly parts: readonly JsonObject[]
  readonly schema: JsonObject
}

/** A name that stands one level too high or too low, or is of another tool. */
function misplaced(name: string, owner: JsonValue | undefined, { parts, schema }: Owner): string {
  const known = propertyNames(parts)
  const home = known.find((key) => propertySchema(schemaParts(propertySchema(parts, key), schema), name) !== undefined)
  if (home !== undefined) return `it belongs inside ${quote(home)}`
  const value = isJsonObject(owner) && Object.hasOwn(owner, name) ? owner[name] : undefined
  const inner = isJsonObject(value) ? Object.keys(value) : []
  if (inner.length > 0 && inner.every((key) => known.includes(key))) return 'send what is inside it directly'
  return known.length > 0 ? `there are: ${known.join(', ')}` : 'leave it out'
}

function listedProblem(
  fault: ValidationFault,
  allowed: readonly JsonValue[],
  value: JsonValue | undefined,
): InputProblem {
  const texts = allowed.filter((item) => typeof item === 'string')
  const meant = typeof value === 'string' ? nearMiss(value, texts) : undefined
  return {
    path: fault.instancePath,
    expected: `one of ${allowed.map((item) => quote(item)).join(', ')}`,
    ...(value !== undefined && { got: shown(value, fault.instancePath) }),
    ...(meant !== undefined && { suggestion: `did you mean ${quote(meant)}?` }),
  }
}

function expectedAt(fault: ValidationFault, { schema }: Place): string {
  const { type } = fault.params
  const described = describeParts(childSchemas(schema, fault.instancePath), schema)
  if (described !== 'any value') return described
  if (typeof type === 'string') return type
  return Array.isArray(type) ? type.join(' or ') : wanted(fault)
}

/** A text for a tool with one argument is most likely that argument. */
function hintOf(value: JsonValue | undefined, fault: ValidationFault, { schema }: Place): Partial<InputProblem> {
  const names = propertyNames(childSchemas(schema, fault.instancePath))
  const [only] = names
  if (typeof value !== 'string' || fault.params.type !== 'object' || only === undefined || names.length !== 1) return {}
  return { suggestion: `send { ${JSON.stringify(only)}: ${shown(value, joined(fault.instancePath, only))} }` }
}

const FORMAT_EXAMPLES = new Map<string, string>([
  ['date-time', '2026-01-31T09:30:00Z'],
  ['date', '2026-01-31'],
  ['time', '09:30:00Z'],
  ['duration', 'PT30M'],
  ['email', 'ann@example.com'],
  ['uri', 'https://example.com/page'],
  ['uuid', '123e4567-e89b-42d3-a456-426614174000'],
  ['ipv4', '192.0.2.1'],
])

function wanted(fault: ValidationFault): string {
  const { format } = fault.params
  if (typeof format === 'string' && FORMAT_EXAMPLES.has(format))
    return `a ${format} such as ${quote(FORMAT_EXAMPLES.get(format))}`
  return fault.message.replace(/^must (be|have|match|NOT have) /, (_, verb: string) =>
    verb === 'NOT have' ? 'not ' : verb === 'match' ? 'a match of ' : '',
  )
}

/** The schemas of the object that a property is missing from or too much in; inside a union, the branch that says so. */
function ownerSchemas(fault: ValidationFault, schema: JsonObject): readonly JsonObject[] {
  const own = pointedAt(fault.schemaPath.slice(0, fault.schemaPath.lastIndexOf('/')), schema)
  return [...new Set([...schemaParts(own, schema), ...childSchemas(schema, fault.instancePath)])]
}

function unknownNames(owner: JsonObject, parts: readonly JsonObject[]): readonly string[] {
  return Object.keys(owner).filter((key) => propertySchema(parts, key) === undefined)
}

const redactor = createRedactor()

/** A program may have it from another tool, and whoever reads the problem has not seen it: a secret is not repeated. */
function shown(value: JsonValue | undefined, path: string): string {
  return readPointer(path).some(isSecretName) ? REDACTED : redactor.text(quote(value))
}

function valueAt(input: JsonValue, path: string): JsonValue | undefined {
  let current: JsonValue | undefined = input
  for (const key of readPointer(path)) {
    if (Array.isArray(current)) current = current[Number(key)]
    else current = isJsonObject(current) && Object.hasOwn(current, key) ? current[key] : undefined
  }
  return current
}

function joined(path: string, name: string): string {
  return `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function bounded(problem: InputProblem): InputProblem {
  return {
    path: cut(problem.path),
    expected: cut(problem.expected),
    ...(problem.got !== undefined && { got: cut(problem.got) }),
    ...(problem.suggestion !== undefined && { suggestion: cut(problem.suggestion) }),
  }
}

function cut(text: string): string {
  return cutTextWithMark(text, PROBLEM_TEXT_BYTES)
}
