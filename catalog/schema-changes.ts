import type { JsonObject, JsonValue } from './json.ts'
import { canonicalJson, isJsonObject } from './json.ts'
import { CHANGE_DEPTH_MAX, CHANGE_TYPE_LENGTH, CHANGES_MAX } from './limits.ts'
import { typeOf } from './signature.ts'

/**
 * What changed from one input schema to the next, for the model that wrote its arguments by the first:
 * `"to" is gone`, `"priority" is new and required`, `"size" was string and is number`. At most 8, each short.
 */
export function schemaChanges(before: JsonObject, now: JsonObject): readonly string[] {
  const changes = [
    ...memberChanges({ before, now, path: '', depth: 0 }, { before, now }),
    ...definitionChanges(before, now),
  ]
  if (changes.length === 0 && canonicalJson(before) !== canonicalJson(now))
    return ['something that no type shows has changed']
  const more = changes.length - CHANGES_MAX
  return more > 0 ? [...changes.slice(0, CHANGES_MAX), `${more} more changes`] : changes
}

interface Place {
  readonly before: JsonObject
  readonly now: JsonObject
  readonly path: string
  readonly depth: number
}

/** The whole documents: references lead into them. */
interface Roots {
  readonly before: JsonObject
  readonly now: JsonObject
}

function memberChanges(place: Place, roots: Roots): readonly string[] {
  const [before, now] = [membersOf(place.before), membersOf(place.now)]
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])]
  return names.flatMap((name) => {
    const [old, fresh] = [ownValue(before, name), ownValue(now, name)]
    const path = place.path === '' ? name : `${place.path}.${name}`
    const shown = JSON.stringify(path.slice(0, CHANGE_TYPE_LENGTH))
    const [was, is] = [isRequired(place.before, name), isRequired(place.now, name)]
    if (fresh === undefined) return [`${shown} is gone`]
    if (old === undefined) return [is ? `${shown} is new and required` : `${shown} is new`]
    const need = was === is ? [] : [`${shown} is ${is ? 'required' : 'optional'} now`]
    return [...need, ...typeChanges({ old, fresh, path, shown, depth: place.depth }, roots)]
  })
}

interface Member {
  readonly old: JsonValue
  readonly fresh: JsonValue
  readonly path: string
  readonly shown: string
  readonly depth: number
}

function typeChanges({ old, fresh, path, shown, depth }: Member, roots: Roots): readonly string[] {
  if (canonicalJson(old) === canonicalJson(fresh)) return []
  if (isJsonObject(old) && isJsonObject(fresh) && depth < CHANGE_DEPTH_MAX) {
    const inner = memberChanges({ before: old, now: fresh, path, depth: depth + 1 }, roots)
    const [oldItems, freshItems] = [old['items'], fresh['items']]
    const items =
      isJsonObject(oldItems) && isJsonObject(freshItems)
        ? memberChanges({ before: oldItems, now: freshItems, path: `${path}[]`, depth: depth + 1 }, roots)
        : []
    if (inner.length + items.length > 0) return [...inner, ...items]
  }
  const [was, is] = [typeText(old, roots.before), typeText(fresh, roots.now)]
  if (was !== is) return [`${shown} was ${was} and is ${is}`]
  // A description alone changes nothing that a call could get wrong.
  return isSameButForTexts(old, fresh) ? [] : [`${shown} allows other values than before`]
}

function isSameButForTexts(old: JsonValue, fresh: JsonValue): boolean {
  const rules = (schema: JsonValue): JsonValue => {
    if (!isJsonObject(schema)) return schema
    return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !TEXTS.includes(keyword)))
  }
  return canonicalJson(rules(old)) === canonicalJson(rules(fresh))
}

const TEXTS: readonly string[] = ['title', 'description', 'examples', 'default', '$comment']

function ownValue(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

function definitionChanges(before: JsonObject, now: JsonObject): readonly string[] {
  return ['$defs', 'definitions'].flatMap((keyword) => {
    const [old, fresh] = [before[keyword], now[keyword]]
    if (!isJsonObject(old) || !isJsonObject(fresh)) return []
    return Object.keys(old).flatMap((name) => {
      const [was, is] = [ownValue(old, name), ownValue(fresh, name)]
      if (was === undefined || is === undefined) return []
      const shown = `type ${JSON.stringify(name.slice(0, CHANGE_TYPE_LENGTH))}`
      return typeChanges({ old: was, fresh: is, path: name, shown, depth: 0 }, { before, now })
    })
  })
}

function membersOf({ properties }: JsonObject): JsonObject {
  return isJsonObject(properties) ? properties : {}
}

function isRequired({ required }: JsonObject, name: string): boolean {
  return Array.isArray(required) && required.includes(name)
}

function typeText(schema: JsonValue, root: JsonObject): string {
  const { $defs, definitions } = root
  const document: JsonObject = {
    ...(isJsonObject(schema) ? schema : {}),
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  }
  if (!isJsonObject(schema)) return schema === false ? 'never' : 'unknown'
  return typeOf(document, { maxChars: CHANGE_TYPE_LENGTH }).replaceAll(/\s+/g, ' ')
}
