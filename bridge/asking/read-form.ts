import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import { checkField } from './check-field.ts'
import type { FieldChoice, FieldValue, FormField, TextFormat } from './form-field.ts'
import {
  ALL_CHOICES_MAX,
  CHOICES_MAX,
  EXPLANATION_MAX_LENGTH,
  FIELD_NAME_MAX_LENGTH,
  FIELDS_MAX,
  FORM_MAX_LENGTH,
  LINE_MAX_LENGTH,
} from './limits.ts'
import type { Redact } from './plain-text.ts'
import { isPlain, plainLine } from './plain-text.ts'

/**
 * The fields of a server's form; undefined for one that is not flat, too large, or that nobody could read and fill in as
 * it stands. Words are cleaned; names and choices come back as they are, so that hidden characters in them refuse it.
 */
export function readForm(schema: JsonObject, redact: Redact): readonly FormField[] | undefined {
  const { properties = {}, required = [] } = schema
  if (!isJsonObject(properties) || !Array.isArray(required)) return undefined
  const names = Object.keys(properties)
  if (names.length > FIELDS_MAX || !required.every((name) => typeof name === 'string' && names.includes(name))) {
    return undefined
  }
  const fields = names.map((name) =>
    readField({ name, schema: properties[name], isRequired: required.includes(name) }, redact),
  )
  if (!fields.every((field) => field !== undefined)) return undefined
  const choices = fields.reduce((sum, field) => sum + (field.choices?.length ?? 0), 0)
  const isSmall = choices <= ALL_CHOICES_MAX && JSON.stringify(fields).length <= FORM_MAX_LENGTH
  return isSmall ? fields : undefined
}

const NAME = /^[^\s=]+$/

interface GivenField {
  readonly name: string
  readonly schema: JsonValue | undefined
  readonly isRequired: boolean
}

function readField({ name, schema, isRequired }: GivenField, redact: Redact): FormField | undefined {
  const isReadable = name.length <= FIELD_NAME_MAX_LENGTH && NAME.test(name) && isPlain(name)
  if (!isReadable || !isJsonObject(schema)) return undefined
  const kind = readKind(schema, redact)
  if (kind === undefined) return undefined
  const field: FormField = {
    name,
    isRequired,
    ...kind,
    ...wordOf('title', plainWord(schema['title'], LINE_MAX_LENGTH, redact)),
    ...wordOf('description', plainWord(schema['description'], EXPLANATION_MAX_LENGTH, redact)),
  }
  const preset = schema['default']
  // A default that the form itself does not allow is none.
  const isFit = isFieldValue(preset) && checkField(field, preset) === undefined
  return isFit ? { ...field, default: preset } : field
}

type FieldKind = Pick<FormField, 'type' | 'choices' | 'format' | 'min' | 'max'>

function readKind(schema: JsonObject, redact: Redact): FieldKind | undefined {
  const { type } = schema
  switch (typeof type === 'string' ? type : '') {
    case 'boolean':
      return { type: 'boolean' }
    case 'number':
    case 'integer':
      return { type: type === 'integer' ? 'integer' : 'number', ...boundsOf(schema, 'minimum', 'maximum') }
    case 'string':
      return readText(schema, redact)
    case 'array': {
      const { items } = schema
      const choices = isJsonObject(items) ? readChoices(items, redact) : undefined
      return choices && { type: 'choices', choices, ...boundsOf(schema, 'minItems', 'maxItems') }
    }
    default:
      return undefined
  }
}

const FORMATS: readonly TextFormat[] = ['email', 'uri', 'date', 'date-time']

function readText(schema: JsonObject, redact: Redact): FieldKind | undefined {
  const isChoice = ['enum', 'oneOf', 'anyOf'].some((key) => schema[key] !== undefined)
  if (isChoice) {
    const choices = readChoices(schema, redact)
    return choices && { type: 'choice', choices }
  }
  const format = FORMATS.find((each) => each === schema['format'])
  return { type: 'text', ...(format && { format }), ...boundsOf(schema, 'minLength', 'maxLength') }
}

/** In each of the forms that the revisions have for it: `enum`, with `enumNames`, or `oneOf` and `anyOf` of constants. */
function readChoices(schema: JsonObject, redact: Redact): readonly FieldChoice[] | undefined {
  const { enum: values, enumNames, oneOf, anyOf } = schema
  const titled = oneOf ?? anyOf
  const choice = (value: JsonValue | undefined, title: JsonValue | undefined): FieldChoice | undefined =>
    isChoiceValue(value) ? { value, ...wordOf('title', plainWord(title, LINE_MAX_LENGTH, redact)) } : undefined
  const given = Array.isArray(values)
    ? values.map((value: JsonValue, at) => choice(value, Array.isArray(enumNames) ? enumNames[at] : undefined))
    : Array.isArray(titled)
      ? titled.map((each: JsonValue) => (isJsonObject(each) ? choice(each['const'], each['title']) : undefined))
      : []
  if (given.length === 0 || given.length > CHOICES_MAX) return undefined
  return given.every((choice) => choice !== undefined) ? given : undefined
}

function isChoiceValue(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value.length <= LINE_MAX_LENGTH && isPlain(value)
}

function boundsOf(schema: JsonObject, low: string, high: string): Pick<FormField, 'min' | 'max'> {
  const [min, max] = [schema[low], schema[high]]
  return { ...(typeof min === 'number' && { min }), ...(typeof max === 'number' && { max }) }
}

function plainWord(text: JsonValue | undefined, maxLength: number, redact: Redact): string {
  return typeof text === 'string' ? plainLine(text, maxLength, redact) : ''
}

function wordOf(key: 'title' | 'description', word: string): Pick<FormField, typeof key> {
  return word === '' ? {} : { [key]: word }
}

function isFieldValue(value: JsonValue | undefined): value is FieldValue {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string')
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
