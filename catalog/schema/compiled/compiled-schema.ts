import type { ErrorObject, KeywordCxt, ValidateFunction } from 'ajv'
import { _, Name } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { JsonValue } from '../../json.ts'
import { canonicalJson } from '../../json.ts'
import { meteredFormats } from './formats.ts'
import {
  CHARACTERS_PER_UNIT,
  ERRORS_MAX_COUNT,
  MULTIPLE_MAX_DIGITS,
  SCHEMA_MAX_NODES_COLLECTED,
  WORK_ERRORS_UNITS,
} from '../limits.ts'
import type { NormalForm } from './normal-form.ts'
import { linearPattern } from './pattern.ts'
import type { Work } from '../work.ts'
import { createWork, WorkExceeded } from '../work.ts'

/** A schema made into a function. It keeps nothing of the values it saw. */
export interface CompiledSchema {
  /** May cost this many checks; `exceeded` where that was not enough to tell. */
  check(value: JsonValue, units: number): CheckResult
}

export type CheckResult =
  | { readonly kind: 'valid' }
  | { readonly kind: 'exceeded' }
  /** The compiler made a function that does not run. */
  | { readonly kind: 'broken'; readonly reason: string }
  | { readonly kind: 'invalid'; readonly errors: readonly ErrorObject[] }

/** Thrown out of a check that only collects errors, with what it has. */
class EnoughErrors extends Error {
  override readonly name = 'EnoughErrors'
  readonly errors: readonly ErrorObject[]

  constructor(errors: readonly ErrorObject[]) {
    super('enough errors')
    this.errors = errors
  }
}

/**
 * Two functions of one schema: the first stops at the first error and decides; the second, compiled when a value is
 * first invalid, collects more errors for the one who has to mend the value, and may give up at any time.
 */
export function compileSchema(form: NormalForm): CompiledSchema {
  const work = createWork()
  const decide = compile(form, work, 'first-error')
  let collect: ValidateFunction | undefined
  return {
    check(value, units) {
      work.restart(units)
      try {
        if (decide(value)) return { kind: 'valid' }
      } catch (error) {
        if (error instanceof WorkExceeded || isStackOverflow(error)) return { kind: 'exceeded' }
        // Code made from a stranger's schema: whatever it throws costs this tool, and nothing passes unchecked.
        return { kind: 'broken', reason: error instanceof Error ? error.message : 'unknown error' }
      }
      const first = decide.errors ?? []
      if (form.size > SCHEMA_MAX_NODES_COLLECTED) return { kind: 'invalid', errors: first }
      collect ??= compile(form, work, 'all-errors')
      const all = collectErrors(collect, value, work)
      return { kind: 'invalid', errors: all.length > 0 ? all : first }
    },
  }
}

function collectErrors(collect: ValidateFunction, value: JsonValue, work: Work): readonly ErrorObject[] {
  work.restart(WORK_ERRORS_UNITS)
  try {
    collect(value)
    return collect.errors ?? []
  } catch (error) {
    // That the value is invalid is decided; without further errors the first one is told.
    return error instanceof EnoughErrors ? error.errors : []
  }
}

/** The bounds on schema and value leave room on any usual stack; an embedder may have left us little of it. */
function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError
}

function compile(form: NormalForm, work: Work, mode: 'first-error' | 'all-errors'): ValidateFunction {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    meta: false,
    logger: false,
    allErrors: mode === 'all-errors',
    // `toString` and the like are not properties of a value.
    ownProperties: true,
    // Inlined, a definition is compiled again at each reference to it.
    inlineRefs: false,
    // 19.99 is a multiple of 0.01, and in binary it is not.
    multipleOfPrecision: MULTIPLE_MAX_DIGITS,
    formats: meteredFormats(form.formats, work),
    // Optimising takes most of the compiler's time and grows faster than the schema.
    code: {
      optimize: false,
      regExp: Object.assign((pattern: string) => meteredPattern(pattern, work), { code: 'linear' }),
    },
  })
  // This class keeps accounts for `unevaluated…` in every branch, whether or not a keyword asks for them: no branch is
  // skipped, and in rare schemas the accounts use a variable that does not exist.
  ajv.opts.unevaluated = form.hasUnevaluated
  // The normal form has none left.
  ajv.opts.dynamicRef = false
  // Ajv compares each pair of items; a set of their canonical texts takes linear time.
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (isWanted: boolean, items: readonly JsonValue[]) => !isWanted || areDistinct(items, work),
    error: { message: 'must not have equal items' },
  })
  ajv.addKeyword({ keyword: 'work', schemaType: 'object', before: '$ref', code: (context) => spendCode(context, work) })
  return ajv.compile(form.schema)
}

function meteredPattern(pattern: string, work: Work) {
  const compiled = linearPattern(pattern)
  return {
    test(text: string) {
      // The normal form holds linear patterns only.
      if (compiled.kind === 'refused') return true
      work.spend(1 + text.length * compiled.unitsPerCharacter)
      return compiled.test(text)
    },
    toString: () => JSON.stringify(pattern),
  }
}

function spendCode(context: KeywordCxt, work: Work): void {
  const { gen, data, schema, it } = context
  const { units, isPerCharacter, perKey } = schema
  const spend = gen.scopeValue('func', { ref: work.spend })
  gen.code(_`${spend}(${units})`)
  if (isPerCharacter)
    gen.if(_`typeof ${data} == "string"`, () => gen.code(_`${spend}(${data}.length / ${CHARACTERS_PER_UNIT})`))
  if (perKey > 0) {
    const count = gen.scopeValue('func', { ref: work.countKeys })
    gen.code(_`${spend}(${perKey} * ${count}(${data}))`)
  }
  // Errors inside `anyOf` and the like may yet be taken back, and a definition does not know whether it is inside one.
  const isCertain = it.allErrors === true && it.compositeRule !== true && it.schemaEnv.root === it.schemaEnv
  if (!isCertain) return
  const stop = gen.scopeValue('func', { ref: stopAtErrors })
  gen.if(_`${new Name('errors')} >= ${ERRORS_MAX_COUNT}`, () => gen.code(_`${stop}(${new Name('vErrors')})`))
}

function stopAtErrors(errors: readonly ErrorObject[]): never {
  throw new EnoughErrors(errors)
}

function areDistinct(items: readonly JsonValue[], work: Work): boolean {
  const seen = new Set<string>()
  for (const item of items) {
    const text = canonicalJson(item)
    work.spend(1 + text.length / CHARACTERS_PER_UNIT)
    if (seen.has(text)) return false
    seen.add(text)
  }
  return true
}
