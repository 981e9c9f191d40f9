import type { JsonValue } from '../json.ts'
import { isJsonObject } from '../json.ts'
import { fitsType } from '../schema/fits-type.ts'
import type { NormalKeywords } from '../schema/keywords.ts'
import { REFERENCE_KEYWORDS } from '../schema/keywords.ts'
import { arrayType } from './array-type.ts'
import { commentText } from './comment.ts'
import { COMMENT_VALUE_MAX_CHARS, TYPE_MAX_DEPTH } from './limits.ts'
import { isSmall, valueType } from './literal.ts'
import { objectType } from './object-type.ts'
import type { Place, Printing } from './printing.ts'
import type { TypeText } from './type-text.ts'
import { atom, intersection, NEVER, union, UNKNOWN } from './type-text.ts'

/** The TypeScript type of one subschema. Misshapen keywords count as absent: the schema may be anything. */
export function schemaType(printing: Printing, schema: JsonValue, outer: Place): TypeText {
  if (!isJsonObject(schema)) return schema === false ? NEVER : UNKNOWN
  if (printing.isFull()) return UNKNOWN
  if (outer.depth > TYPE_MAX_DEPTH) return atom(printing.written('unknown /* not shown */'))
  const keywords = printing.keywordsOf(schema)
  const place = { ...outer, base: printing.references.enter(schema, outer.base) }
  const applied = [
    ...REFERENCE_KEYWORDS.flatMap((keyword) => referenceType(printing, keywords[keyword], place)),
    ...listed(keywords['allOf']).map((part) => printing.type(part, deeper(place))),
    ...alternatives(printing, keywords['anyOf'], place),
    ...alternatives(printing, keywords['oneOf'], place),
  ]
  const own = ownType(printing, keywords, { place, isAlone: applied.length === 0 })
  const whole = intersection([own, ...applied])
  return keywords['nullable'] === true ? union([whole, atom('null')]) : whole
}

function listed(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}

/** Alternatives look at the same value: deeper for the bound on recursion, but not on the page. */
function deeper(place: Place): Place {
  return { ...place, depth: place.depth + 1 }
}

function referenceType(printing: Printing, reference: JsonValue | undefined, place: Place): readonly TypeText[] {
  if (typeof reference !== 'string') return []
  const found = printing.references.resolve(reference, place.base)
  const shown = commentText(reference, COMMENT_VALUE_MAX_CHARS)
  if (found.kind !== 'found') return [atom(printing.written(`unknown /* ${shown}: not in the schema */`))]
  if (!isJsonObject(found.schema)) return [found.schema ? UNKNOWN : NEVER]
  const { definitions, detail, names, references, rootName } = printing
  const name = names.nameOf(found.schema, found.schema === references.document.root ? rootName : reference)
  if (!definitions.has(name)) {
    if (definitions.size >= detail.definitions) return [atom(printing.written(`unknown /* ${name}: not shown */`))]
    definitions.set(name, { schema: found.schema, base: found.base })
  }
  return [atom(printing.written(name))]
}

function alternatives(printing: Printing, parts: JsonValue | undefined, place: Place): readonly TypeText[] {
  if (!Array.isArray(parts) || parts.length === 0) return []
  const types: TypeText[] = []
  for (const part of parts.slice(0, printing.detail.alternatives)) {
    if (printing.isFull()) break
    types.push(printing.type(part, deeper(place)))
  }
  const leftOut = parts.length - types.length
  const all = union(types)
  return leftOut === 0 ? [all] : [{ text: `${all.text} | unknown /* ${leftOut} more not shown */`, kind: 'union' }]
}

/** What `type`, `enum` and `const` say, with the keywords of each type. */
function ownType(
  printing: Printing,
  keywords: NormalKeywords,
  options: { readonly place: Place; readonly isAlone: boolean },
): TypeText {
  if (keywords['const'] !== undefined) return literals(printing, [keywords['const']], keywords)
  if (Array.isArray(keywords['enum'])) return literals(printing, keywords['enum'], keywords)
  const types = typesOf(keywords)
  if (types.length === 0) return UNKNOWN
  const printed = types.map((type) => {
    if (type === 'array') return arrayType(printing, keywords, options.place)
    if (type !== 'object') return atom(printing.written(type === 'integer' ? 'number' : type))
    // Beside alternatives, `type: object` alone adds nothing to what they say.
    return isBareObject(keywords) && !options.isAlone && types.length === 1
      ? UNKNOWN
      : objectType(printing, keywords, options.place)
  })
  return union(printed)
}

/** Without `type`, the keywords that are there tell what is meant. */
function typesOf(keywords: NormalKeywords): readonly string[] {
  const { type } = keywords
  if (type !== undefined) return [type].flat().map(String)
  const objects = ['properties', 'required', 'additionalProperties', 'patternProperties']
  if (objects.some((keyword) => keyword in keywords)) return ['object']
  return 'items' in keywords || 'prefixItems' in keywords ? ['array'] : []
}

function isBareObject(keywords: NormalKeywords): boolean {
  return !['properties', 'required', 'additionalProperties', 'patternProperties'].some((keyword) => keyword in keywords)
}

function literals(printing: Printing, values: readonly JsonValue[], keywords: NormalKeywords): TypeText {
  const fitting = values.filter((value) => fitsType(value, keywords['type']))
  const shown: TypeText[] = []
  for (const value of fitting.slice(0, printing.detail.alternatives)) {
    if (printing.isFull()) break
    shown.push(atom(printing.written(boundedValueType(value))))
  }
  const leftOut = fitting.length - shown.length
  if (leftOut === 0) return union(shown)
  if (printing.isFull()) return UNKNOWN
  const kinds = new Set(fitting.map(wideType))
  const wide = union([...shown, ...Array.from(kinds, atom)])
  return { text: `${wide.text} /* ${leftOut} more values not shown */`, kind: 'union' }
}

/** A constant may be a document of its own; beyond a page of it only its kind is said. */
function boundedValueType(value: JsonValue): string {
  return isSmall(value) ? valueType(value) : `${wideType(value)} /* one value, not shown */`
}

function wideType(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'unknown[]'
  return isJsonObject(value) ? '{ [key: string]: unknown }' : typeof value
}
