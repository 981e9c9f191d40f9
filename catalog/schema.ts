import type { JsonObject, JsonValue } from './json.ts'
import type { CachedSchema } from './schema/compiled/compiled-cache.ts'
import { createCompiledCache } from './schema/compiled/compiled-cache.ts'
import { withDefaults } from './schema/compiled/defaults.ts'
import { inspectSchema } from './schema/inspection/inspection.ts'
import { COMPILED_MAX_COUNT, WORK_BASE_UNITS, WORK_MAX_UNITS, WORK_UNITS_PER_NODE } from './schema/limits.ts'
import { rootProblem } from './schema/inspection/root-problem.ts'
import type { SchemaError } from './schema/schema-error.ts'
import { schemaError, schemaErrors } from './schema/schema-error.ts'
import { scanValue } from './schema/value-scan.ts'
import { createWork, WorkExceeded } from './schema/work.ts'

export type { SchemaError } from './schema/schema-error.ts'

export type SchemaVerdict =
  | { readonly kind: 'sound'; readonly notes: readonly string[] }
  | { readonly kind: 'quarantined'; readonly reason: string; readonly keyword?: string; readonly path?: string }

export type ValidationResult =
  | { readonly kind: 'valid'; readonly value: JsonValue }
  /** At least one error, at most 32. */
  | { readonly kind: 'invalid'; readonly errors: readonly SchemaError[] }

/** What a tool's schema is for: arguments are always an object, a result may be anything. */
export type SchemaRole = 'input' | 'output'

export interface SchemaChecker {
  /** Whether the schema can be enforced. Cheap: nothing is compiled but its patterns. */
  inspect(schema: JsonObject, role?: SchemaRole): SchemaVerdict
  /**
   * Checks arguments; the valid value has the schema's defaults, in a copy, where they keep it valid. A schema that
   * `inspect` quarantines lets nothing pass. `schemaHash` only speeds up the look-up: two schemas may share one.
   */
  validate(schema: JsonObject, schemaHash: string, value: JsonValue): ValidationResult
  /** Checks a result: the same, without defaults. */
  validateOutput(schema: JsonObject, schemaHash: string, value: JsonValue): ValidationResult
}

export interface SchemaCheckerOptions {
  /** Compiled schemas that are kept, the least recently used goes first; 512 where it is not said. */
  readonly compiledMaxCount?: number
}

/** The only place where a schema meets ajv. Everything in schemas and values is taken to be hostile. */
export function createSchemaChecker(options: SchemaCheckerOptions = {}): SchemaChecker {
  const cache = createCompiledCache(options.compiledMaxCount ?? COMPILED_MAX_COUNT)
  const check = (schema: JsonObject, schemaHash: string, value: JsonValue) =>
    checked(value, (units) => judge(cache.get(schema, schemaHash), value, units))
  return {
    inspect(schema, role = 'input') {
      const inspection = inspectSchema(schema)
      if (inspection.kind === 'quarantined') return { kind: 'quarantined', ...inspection.problem }
      const problem = role === 'input' ? rootProblem(schema, inspection.nodes) : undefined
      if (problem !== undefined) return { kind: 'quarantined', ...problem }
      return { kind: 'sound', notes: inspection.notes }
    },
    validate: (schema, schemaHash, value) =>
      checked(value, (units) => {
        const entry = cache.get(schema, schemaHash)
        const filled = filledValue(entry, value, units)
        const result = filled === value ? undefined : judge(entry, filled, units)
        // Where the defaults do not go with what was given, the value is judged as it is.
        return result?.kind === 'valid' ? result : judge(entry, value, units)
      }),
    validateOutput: check,
  }
}

/** Nothing is compiled for, or shown to a schema, that is not safe whatever the schema says. */
function checked(value: JsonValue, judgeWithin: (units: number) => ValidationResult): ValidationResult {
  const scan = scanValue(value)
  if (scan.kind === 'unsafe') return { kind: 'invalid', errors: [schemaError('unsafe', scan.path, scan.reason)] }
  return judgeWithin(Math.min(WORK_MAX_UNITS, WORK_BASE_UNITS + WORK_UNITS_PER_NODE * scan.nodes))
}

function judge(entry: CachedSchema, value: JsonValue, units: number): ValidationResult {
  if (entry.kind === 'unusable') return unenforceable(entry.reason)
  const result = entry.compiled.check(value, units)
  if (result.kind === 'broken') return unenforceable(result.reason)
  if (result.kind === 'valid') return { kind: 'valid', value }
  if (result.kind === 'invalid') return { kind: 'invalid', errors: schemaErrors(result.errors) }
  const message = 'takes too much work to check: send a smaller or simpler value'
  return { kind: 'invalid', errors: [schemaError('work', '', message)] }
}

function unenforceable(reason: string): ValidationResult {
  return { kind: 'invalid', errors: [schemaError('schema', '', `schema cannot be enforced: ${reason}`)] }
}

function filledValue(entry: CachedSchema, value: JsonValue, units: number): JsonValue {
  if (entry.kind === 'unusable') return value
  const work = createWork()
  work.restart(units)
  try {
    return withDefaults(entry.schema, entry.nodes, { value, work })
  } catch (error) {
    // Defaults are a convenience: where they cost too much, the value goes on without them.
    if (error instanceof WorkExceeded) return value
    throw error
  }
}
