import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import type { Notice } from '../outcome.ts'
import { FORM_DECODE_DEPTH } from './limits.ts'
import { quote } from './quote.ts'
import { cutTextWithMark } from '../result/cut-text.ts'
import { readSelector } from './call-selector.ts'

export type CallForm =
  | { readonly kind: 'form'; readonly id: string; readonly args: JsonValue; readonly notices: readonly Notice[] }
  | { readonly kind: 'problem'; readonly message: string }

/** Names that models give the arguments of a call. */
export const ARGUMENT_KEYS = ['args', 'arguments', 'input', 'params', 'parameters'] as const
const MODEL_FACING: ReadonlySet<JsonValue | undefined> = new Set(['tool_call', 'tool_describe', 'tool_search'])

/**
 * Reads `{ id, args }` in the forms that models write it in: other names for the two, JSON text, `args.x` keys, and
 * arguments beside the id. Two different ids, or two values for one argument, are a problem and never a guess.
 */
export function readCallForm(input: JsonValue): CallForm {
  const opened = open(input)
  if (typeof opened === 'string' && /^[^\s{}]{1,256}$/.test(opened))
    return { kind: 'form', id: opened, args: {}, notices: [] }
  if (Array.isArray(opened) && opened.length > 1)
    return problem('one call is made at a time; send each with its own { "id": "…", "args": { … } }')
  if (!isJsonObject(opened)) return problem(`a call wants { "id": "…", "args": { … } }, not ${quote(input)}`)
  const containers = ARGUMENT_KEYS.filter((key) => isContainer(key, opened))
  const given = containers.filter((key) => !isEmpty(contentOf(opened[key])))
  const selector = readSelector(opened, given.length > 0)
  if (selector.kind === 'problem') return selector
  const [first, second] = given
  if (
    first !== undefined &&
    second !== undefined &&
    JSON.stringify(contentOf(opened[first])) !== JSON.stringify(contentOf(opened[second]))
  ) {
    return problem(`the arguments stand in "${first}" and in "${second}"; send them once, in "args"`)
  }
  const broken = first === undefined ? undefined : brokenText(opened[first])
  if (broken !== undefined) return problem(`"${first}" is JSON text that does not parse (${broken}); send an object`)
  const notices = [...selector.notices, ...containerNotices(opened, first)]
  const beside = Object.entries(opened).filter(
    ([key]) => !selector.keys.has(key) && !containers.some((name) => name === key),
  )
  const args = first === undefined ? emptyArguments(opened) : contentOf(opened[first])
  if (beside.length === 0) return { kind: 'form', id: selector.id, args, notices }
  return merge({ id: selector.id, args, beside, notices })
}

/** The object inside JSON text, and inside `{ "arguments": { "id": … } }` where the outside names no tool. */
function open(input: JsonValue): JsonValue {
  let value = input
  for (let level = 0; level < FORM_DECODE_DEPTH; level++) {
    if (typeof value === 'string') value = contentOf(value)
    const [only] = Array.isArray(value) && value.length === 1 ? value : []
    if (isJsonObject(only)) value = only
    if (!isJsonObject(value)) return value
    const outer = value
    const wrapped = wrappedCall(outer)
    if (wrapped !== undefined) {
      value = wrapped
      continue
    }
    const inside = ARGUMENT_KEYS.map((key) => (Object.hasOwn(outer, key) ? contentOf(outer[key]) : null)).find(
      isJsonObject,
    )
    const names = Object.keys(outer).filter((key) => !ARGUMENT_KEYS.some((name) => name === key))
    const isWrapper = names.length === 0 || (names.length === 1 && MODEL_FACING.has(outer[names[0] ?? '']))
    if (inside === undefined || !isWrapper) return value
    value = inside
  }
  return value
}

/** `{ "function": { "name", "arguments" } }`, `{ "tool_call": { "id", "args" } }`: one object that names a tool itself. */
function wrappedCall(outer: JsonObject): JsonObject | undefined {
  const [key, ...more] = Object.keys(outer).filter((name) => name !== 'type')
  const inner = key === undefined || more.length > 0 || isArgumentKey(key) ? undefined : outer[key]
  if (!isJsonObject(inner) || !ARGUMENT_KEYS.some((name) => Object.hasOwn(inner, name))) return undefined
  return readSelector(inner, true).kind === 'selector' ? inner : undefined
}

function isArgumentKey(key: string): boolean {
  return ARGUMENT_KEYS.some((name) => name === key)
}

/** Why a text that begins as an object is none. */
function brokenText(value: JsonValue | undefined): string | undefined {
  if (typeof value !== 'string' || !value.trim().startsWith('{')) return undefined
  try {
    JSON.parse(value)
    return undefined
  } catch (error) {
    return error instanceof Error ? cutTextWithMark(error.message, 100) : 'no reason is known'
  }
}

/** What JSON text of an object stands for; else the value itself. */
function contentOf(value: JsonValue | undefined): JsonValue {
  if (typeof value !== 'string') return value ?? {}
  if (value.trim() === '') return {}
  try {
    const parsed: JsonValue = JSON.parse(value)
    return typeof parsed === 'string' ? contentOf(parsed) : parsed
  } catch {
    // Not JSON: the text is what was meant.
    return value
  }
}

/** `input: "text to translate"` is an argument of that name; `args` is never one. */
function isContainer(key: string, form: JsonObject): boolean {
  if (!Object.hasOwn(form, key)) return false
  return key === 'args' || form[key] === null || isJsonObject(contentOf(form[key]))
}

function isEmpty(value: JsonValue): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0
}

function emptyArguments(form: JsonObject): JsonValue {
  return Object.hasOwn(form, 'args') ? contentOf(form.args) : {}
}

function containerNotices(form: JsonObject, key: string | undefined): readonly Notice[] {
  if (key === undefined) return []
  if (key !== 'args') return [repaired(`"${key}" was read as "args"`)]
  return typeof form[key] === 'string' ? [repaired('"args" was JSON text and was read as an object')] : []
}

interface Parts {
  readonly id: string
  readonly args: JsonValue
  readonly beside: readonly (readonly [string, JsonValue])[]
  readonly notices: readonly Notice[]
}

/** Puts what stood beside the id into the arguments. */
function merge({ id, args, beside, notices }: Parts): CallForm {
  if (!isJsonObject(args)) return problem(`"args" wants an object, not ${quote(args)}`)
  const merged = new Map(Object.entries(args))
  for (const [key, value] of beside) {
    const name = withoutPrefix(key)
    const present = merged.get(name)
    if (present !== undefined && JSON.stringify(present) !== JSON.stringify(value)) {
      return problem(`the argument ${quote(name)} was given twice, with different values; send it once, inside "args"`)
    }
    merged.set(name, value)
  }
  const names = beside.map(([key]) => key).slice(0, 8)
  const moved = repaired(`${names.map((name) => quote(name)).join(', ')} stood beside "args" and went into it`)
  return { kind: 'form', id, args: Object.fromEntries(merged), notices: [...notices, moved] }
}

function withoutPrefix(key: string): string {
  const prefix = ARGUMENT_KEYS.find((name) => key.startsWith(`${name}.`) && key.length > name.length + 1)
  return prefix === undefined ? key : key.slice(prefix.length + 1)
}

function repaired(message: string): Notice {
  return { code: 'call-repaired', message }
}

function problem(message: string): CallForm {
  return { kind: 'problem', message }
}
