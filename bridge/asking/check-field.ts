import type { JsonValue } from '../../catalog/json.ts'
import type { FieldChoice, FormField, TextFormat } from './form-field.ts'
import { ANSWER_TEXT_MAX_LENGTH } from './limits.ts'

/** What is wrong with a value, as a sentence that begins with the field's name; undefined where nothing is. */
export function checkField(field: FormField, value: JsonValue): string | undefined {
  const fault = faultOf(field, value)
  return fault && `field ${JSON.stringify(field.name)} ${fault}`
}

function faultOf(field: FormField, value: JsonValue): string | undefined {
  switch (field.type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `takes true or false, got ${quoted(value)}`
    case 'integer':
    case 'number':
      return numberFault(field, value)
    case 'text':
      return textFault(field, value)
    case 'choice':
      return isAmong(field.choices, value) ? undefined : `takes one of ${listed(field.choices)}; got ${quoted(value)}`
    case 'choices':
      return choicesFault(field, value)
  }
}

function numberFault({ type, min, max }: FormField, value: JsonValue): string | undefined {
  const isNumber = typeof value === 'number' && Number.isFinite(value)
  if (!isNumber || (type === 'integer' && !Number.isInteger(value))) {
    return `takes ${type === 'integer' ? 'a whole number' : 'a number'}, got ${quoted(value)}`
  }
  if (min !== undefined && value < min) return `is at least ${min}, got ${value}`
  return max !== undefined && value > max ? `is at most ${max}, got ${value}` : undefined
}

function textFault({ min = 0, max = ANSWER_TEXT_MAX_LENGTH, format }: FormField, value: JsonValue): string | undefined {
  if (typeof value !== 'string') return `takes a text, got ${quoted(value)}`
  // As JSON Schema counts them.
  const { length } = Array.from(value)
  const most = Math.min(max, ANSWER_TEXT_MAX_LENGTH)
  if (length < min) return `has at least ${min} characters, got ${length}`
  if (length > most) return `has at most ${most} characters, got ${length}`
  if (format === undefined || FORMS[format].test(value)) return undefined
  return `is ${FORM_NAMES[format]}, got ${quoted(value)}`
}

function choicesFault({ choices, min = 0, max = Infinity }: FormField, value: JsonValue): string | undefined {
  if (!Array.isArray(value)) return `takes a list of ${listed(choices)}; got ${quoted(value)}`
  const other: JsonValue | undefined = value.find((item: JsonValue) => !isAmong(choices, item))
  if (other !== undefined) return `takes of ${listed(choices)}; got ${quoted(other)}`
  if (value.length < min) return `takes at least ${min} of its choices, got ${value.length}`
  return value.length > max ? `takes at most ${max} of its choices, got ${value.length}` : undefined
}

function isAmong(choices: readonly FieldChoice[] = [], value: JsonValue): boolean {
  return choices.some((choice) => choice.value === value)
}

/** Linear in the length of a text. */
const FORMS: Readonly<Record<TextFormat, RegExp>> = {
  email: /^[^\s@]+@[^\s@]+$/,
  uri: /^[A-Za-z][A-Za-z0-9+.-]*:[^\s]+$/,
  date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  'date-time':
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/,
}

const FORM_NAMES: Readonly<Record<TextFormat, string>> = {
  email: 'a mail address',
  uri: 'an address with its scheme, e.g. "https://example.com"',
  date: 'a date as "2027-01-31"',
  'date-time': 'a time as "2027-01-31T12:00:00Z"',
}

const CHOICES_LISTED = 20

function listed(choices: readonly FieldChoice[] = []): string {
  const shown = choices.slice(0, CHOICES_LISTED).map(({ value }) => JSON.stringify(value))
  return choices.length > CHOICES_LISTED
    ? `${shown.join(', ')} and ${choices.length - CHOICES_LISTED} more`
    : shown.join(', ')
}

function quoted(value: JsonValue): string {
  const text = JSON.stringify(value)
  return text.length <= 60 ? text : `${text.slice(0, 59).toWellFormed()}…`
}
