import type { JsonObject, JsonValue } from '../json.ts'
import { isJsonObject } from '../json.ts'
import type { NormalKeywords } from '../schema/keywords.ts'
import { boundsOf } from './bounds.ts'
import { comment, commentText } from './comment.ts'
import { COMMENT_VALUE_MAX_CHARS, LEFT_OUT_NAMES_MAX_CHARS } from './limits.ts'
import { propertyName } from './literal.ts'
import type { Place, Printing } from './printing.ts'
import { inner } from './printing.ts'
import type { Property } from './schema-reading.ts'
import type { TypeText } from './type-text.ts'
import { atom, braced, union, UNKNOWN } from './type-text.ts'

const UNDEFINED = atom('undefined')

/** An object: required properties first, then optional ones, then what other keys may hold. */
export function objectType(printing: Printing, keywords: NormalKeywords, place: Place): TypeText {
  const { detail } = printing
  if (place.depth > detail.depth) return atom(printing.written('{ [key: string]: unknown /* not shown */ }'))
  const { required, optional } = printing.propertiesOf(keywords)
  const members: string[] = []
  const declared: TypeText[] = []
  const add = (property: Property, kind: 'required' | 'optional') => {
    if (printing.isFull()) return
    const type = printing.type(property.schema, inner(place, place.base))
    members.push(memberText(printing, { ...property, kind }, type.text))
    declared.push(type, ...(kind === 'required' ? [] : [UNDEFINED]))
  }
  for (const property of required.slice(0, detail.requiredProperties)) add(property, 'required')
  for (const property of optional.slice(0, detail.optionalProperties)) add(property, 'optional')
  if (printing.isFull()) return UNKNOWN
  const leftOut = leftOutComment(required.slice(detail.requiredProperties), optional.slice(detail.optionalProperties))
  const rest = leftOut === '' ? otherKeys(printing, keywords, { place, declared }) : `[key: string]: unknown${leftOut}`
  return braced(rest === '' ? members : [...members, printing.written(rest)], place.indent)
}

function memberText(
  printing: Printing,
  property: Property & { readonly kind: 'required' | 'optional' },
  type: string,
): string {
  const { detail } = printing
  const { kind, name, schema } = property
  const key = printing.written(`${propertyName(name)}${kind === 'required' ? '' : '?'}: `)
  const chars = kind === 'required' ? detail.requiredDescriptionChars : detail.optionalDescriptionChars
  const note = printing.written(commentOn(printing, schema, chars))
  // Behind a type of many lines nobody would see what the comment is about.
  return type.includes('\n') && note !== '' ? `${key}${note.trimStart()} ${type}` : `${key}${type}${note}`
}

/** What a comment beside a type says: its bounds, those of its items, and its description. */
export function commentOn(printing: Printing, schema: JsonValue, descriptionChars: number): string {
  if (!isJsonObject(schema)) return ''
  const parts: string[] = []
  if (printing.detail.hasBounds) {
    const keywords = printing.keywordsOf(schema)
    parts.push(...boundsOf(keywords, schema))
    const items = keywords['items']
    const each = isJsonObject(items) ? boundsOf(printing.keywordsOf(items), items) : []
    if (each.length > 0) parts.push(`each ${each.join(', ')}`)
  }
  const described = schema['description'] ?? schema['title']
  if (descriptionChars > 0 && typeof described === 'string') parts.push(commentText(described, descriptionChars))
  return comment(parts)
}

function leftOutComment(required: readonly Property[], optional: readonly Property[]): string {
  if (required.length + optional.length === 0) return ''
  const counts = [
    ...(required.length === 0 ? [] : [`${required.length} required`]),
    ...(optional.length === 0 ? [] : [`${optional.length} optional`]),
  ]
  // More names than characters cannot be shown.
  const first = [...required, ...optional].slice(0, LEFT_OUT_NAMES_MAX_CHARS)
  const names = commentText(first.map(({ name }) => name).join(', '), LEFT_OUT_NAMES_MAX_CHARS)
  return comment([`not shown: ${counts.join(' and ')}: ${names}`])
}

/** The index signature, or '' where other keys are not spoken of. */
function otherKeys(printing: Printing, keywords: NormalKeywords, options: OtherKeys): string {
  const { place, declared } = options
  const { additionalProperties, properties, patternProperties, required } = keywords
  const patterns = isJsonObject(patternProperties) ? Object.entries(patternProperties) : []
  const hasNames = isJsonObject(properties) || (Array.isArray(required) && required.length > 0)
  if (patterns.length === 0 && !isJsonObject(additionalProperties)) {
    const isOpen = additionalProperties === true || (additionalProperties === undefined && !hasNames)
    return isOpen ? '[key: string]: unknown' : ''
  }
  const schemas = [...patterns.map(([, schema]) => schema), ...others(additionalProperties)]
  const type = union(schemas.map((schema) => printing.type(schema, inner(place, place.base))))
  const keys = patterns.map(([pattern]) => `matching ${commentText(pattern, COMMENT_VALUE_MAX_CHARS)}`)
  const note =
    keys.length === 0 ? '' : `keys ${keys.join(', ')}${isJsonObject(additionalProperties) ? ' or others' : ''}`
  // TypeScript wants the named properties to fit the index signature, so it holds their types too.
  const whole = union([type, ...declared])
  const isShort = type.text.length <= COMMENT_VALUE_MAX_CHARS && !type.text.includes('\n')
  const own = whole.text !== type.text && isShort ? `other keys: ${commentText(type.text, type.text.length)}` : ''
  return `[key: string]: ${printing.written(whole.text)}${comment([note, own])}`
}

interface OtherKeys {
  readonly place: Place
  /** Types of the named properties. */
  readonly declared: readonly TypeText[]
}

function others(additionalProperties: JsonValue | undefined): readonly (JsonObject | true)[] {
  if (isJsonObject(additionalProperties)) return [additionalProperties]
  // Beside patterns, silence on other keys means that they may hold anything, which says nothing worth a signature.
  return additionalProperties === true ? [true] : []
}
