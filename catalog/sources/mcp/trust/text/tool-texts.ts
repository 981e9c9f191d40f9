import type { JsonObject, JsonValue } from '../../../../json.ts'
import { isJsonObject } from '../../../../json.ts'
import type { ToolDefinition } from '../../../../tool.ts'
import { SCREENED_MAX_DEPTH, SCREENED_MAX_LENGTH, SCREENED_MAX_TEXTS } from '../limits.ts'

export interface ToolText {
  readonly place: string
  readonly text: string
  readonly role: 'name' | 'parameter-name' | 'prose' | 'parameter'
}

type Screened = Pick<ToolDefinition, 'name' | 'title' | 'description' | 'listing'> & {
  readonly inputSchema?: JsonValue
  readonly outputSchema?: JsonValue
}

/** What was read of something, and the first that was not: it is longer, or nests deeper, than is read. */
export interface ReadTexts {
  readonly texts: readonly ToolText[]
  readonly unread: Pick<ToolText, 'place' | 'text'> | undefined
}

/** Every text of a tool that a model may get to read, with where it stands; bounded in number and length. */
export function toolTexts(tool: Screened): ReadTexts {
  const gathered = new GatheredTexts()
  gathered.add({ place: 'name', text: tool.name, role: 'name' })
  if (tool.title !== undefined) gathered.add({ place: 'title', text: tool.title, role: 'prose' })
  gathered.add({ place: 'description', text: tool.description, role: 'prose' })
  gathered.addSchema('inputSchema', tool.inputSchema, 0)
  gathered.addSchema('outputSchema', tool.outputSchema, 0)
  gathered.addData({ place: '_meta', key: '_meta' }, tool.listing?.meta, 0)
  return gathered
}

/** Every text of what is no tool. */
export function dataTexts(data: JsonObject): ReadTexts {
  const gathered = new GatheredTexts()
  gathered.addData({ place: '', key: '' }, data, 0)
  return gathered
}

/** Names and addresses; a picture in an address is no text either. */
const NAME_KEYS = new Set(['name', 'uri', 'uriTemplate', 'mimeType', 'src'])
const PROSE_DATA_KEYS = new Set(['title', 'description'])

/** Keys whose value is prose. Others hold numbers, names of types, or further schemas. */
const PROSE_KEYS = new Set(['description', 'title', '$comment', 'default', 'const', 'pattern', 'enum', 'examples'])

class GatheredTexts {
  readonly texts: ToolText[] = []
  unread: ReadTexts['unread']
  #left = SCREENED_MAX_LENGTH

  add({ place, text, role }: ToolText): void {
    if (text === '') return
    const cut = this.#isFull() ? '' : readableBeginning(text, this.#left)
    if (cut.length < text.length) this.unread ??= { place, text: text.slice(cut.length) }
    if (cut === '') return
    this.#left -= cut.length
    this.texts.push({ place, text: cut, role })
  }

  addSchema(place: string, value: JsonValue | undefined, depth: number): void {
    if (this.#isUnread(place, value, depth)) return
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) this.addSchema(`${place}[${index}]`, item, depth + 1)
      return
    }
    // A model reads every word of a schema, also where a keyword has none: in `type`, in `required`, under names of nobody's.
    if (typeof value === 'string' && hasSpace(value)) this.add({ place, text: value, role: 'parameter' })
    if (!isJsonObject(value)) return
    for (const [key, inner] of Object.entries(value)) {
      if (hasSpace(key)) this.add({ place, text: key, role: 'parameter' })
      if (key === 'properties' && isJsonObject(inner)) this.#addProperties(`${place}.properties`, inner, depth)
      else if (PROSE_KEYS.has(key)) this.#addProse(`${place}.${key}`, inner, depth)
      else this.addSchema(`${place}.${key}`, inner, depth + 1)
    }
  }

  /** Values that follow no schema, their keys among them. */
  addData(at: { readonly place: string; readonly key: string }, value: JsonValue | undefined, depth: number): void {
    const { place, key } = at
    if (this.#isUnread(place, value, depth)) return
    if (typeof value === 'string') this.add({ place, text: value, role: roleOf(key, value) })
    else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) this.addData({ place: `${place}[${index}]`, key }, item, depth + 1)
    } else if (isJsonObject(value)) {
      for (const [inner, item] of Object.entries(value)) {
        const inside = place === '' ? inner : `${place}.${inner}`
        this.add({ place: inside, text: inner, role: 'name' })
        this.addData({ place: inside, key: inner }, item, depth + 1)
      }
    }
  }

  #addProperties(place: string, properties: Readonly<Record<string, JsonValue>>, depth: number): void {
    for (const [name, schema] of Object.entries(properties)) {
      this.add({ place: `${place}.${name}`, text: name, role: 'parameter-name' })
      this.addSchema(`${place}.${name}`, schema, depth + 1)
    }
  }

  #addProse(place: string, value: JsonValue, depth: number): void {
    if (typeof value === 'string') this.add({ place, text: value, role: 'parameter' })
    else if (this.#isUnread(place, value, depth)) return
    else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) this.#addProse(`${place}[${index}]`, item, depth + 1)
    } else this.addSchema(place, value, depth + 1)
  }

  /** Whether nothing more is read there; what has words then is told of. */
  #isUnread(place: string, value: JsonValue | undefined, depth: number): boolean {
    if (depth <= SCREENED_MAX_DEPTH && !this.#isFull()) return false
    if (hasWords(value)) this.unread ??= { place, text: typeof value === 'string' ? value : '' }
    return true
  }

  #isFull(): boolean {
    return this.#left <= 0 || this.texts.length >= SCREENED_MAX_TEXTS
  }
}

/** A sign may stand for so many letters at most: Arabic has some for whole phrases. */
const LETTERS_OF_SIGN_MAX = 18

/** As much of a text as is read: no more than `length` as it is written, and about twice that as it is meant. */
function readableBeginning(text: string, length: number): string {
  const beginning = text.slice(0, length)
  const most = length * 2
  if (beginning.length * LETTERS_OF_SIGN_MAX <= most) return beginning
  const meant = beginning.normalize('NFKC').length
  return meant <= most ? beginning : beginning.slice(0, Math.ceil((beginning.length * most) / meant))
}

/** As far as one sees without looking into it. */
function hasWords(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return value !== ''
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

function hasSpace(text: string): boolean {
  return /\s/.test(text)
}

function roleOf(key: string, text: string): ToolText['role'] {
  // Whatever it is called, what has words is read.
  if (NAME_KEYS.has(key) && !hasSpace(text)) return 'name'
  return PROSE_DATA_KEYS.has(key) ? 'prose' : 'parameter'
}
