// @ts-check
// Plain JavaScript, because its text is also put into the programs that the scripted provider writes: every function
// here uses only its arguments, plain JavaScript and the other functions of this file.

/**
 * @typedef {{ type?: unknown, format?: string, enum?: unknown, const?: unknown, default?: unknown, items?: Schema,
 *   anyOf?: readonly Schema[], oneOf?: readonly Schema[], properties?: Record<string, Schema>, required?: readonly string[] }} Schema
 * @typedef {{ text: string, pairs: Record<string, unknown>, quoted: string[], emails: string[], urls: string[],
 *   dates: string[], ids: string[], numbers: string[] }} Said
 * @typedef {{ args: Record<string, unknown>, missing: string[] }} Filled
 */

/**
 * Arguments for a tool, as far as they stand in a message: `key: value` and `key=value` pairs, a JSON object, enum words,
 * quoted text, numbers, dates, emails, addresses, ids. Required ones that cannot be read are named in `missing`.
 * @param {Schema} schema
 * @param {string} message
 * @returns {Filled}
 */
export function fillArguments(schema, message) {
  return fillObject(schema, readSaid(message))
}

/** @param {Schema} schema @param {Said} said @returns {Filled} */
function fillObject(schema, said) {
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  // A property's schema may be `true`, or anything at all where a server got it wrong.
  const properties = Object.entries(schema.properties ?? {}).filter(([, each]) => each && typeof each === 'object')
  const lonely = properties.filter(([key, each]) => isFreeText(each) && !required.has(key)).length === 1
  /** @type {Record<string, unknown>} */
  const args = {}
  /** @type {string[]} */
  const missing = []
  // Required ones choose first; an optional one takes only what clearly speaks of it.
  for (const [name, each] of properties.filter(([key]) => required.has(key))) {
    const value = readNamed(name, each, said) ?? readTyped(name, each, said) ?? each.default
    if (value === undefined) missing.push(name)
    else args[name] = value
  }
  for (const [name, each] of properties.filter(([key]) => !required.has(key))) {
    const free = lonely && isFreeText(each) ? (said.quoted.shift() ?? spokenOf(said)) : undefined
    const clear = each.format || each.items?.format ? readTyped(name, each, said) : undefined
    const value = readNamed(name, each, said) ?? free ?? clear
    if (value !== undefined) args[name] = value
  }
  return { args, missing }
}

/** What a message says, by form; pieces are taken out as they are used. @param {string} message @returns {Said} */
function readSaid(message) {
  let rest = message
  /** @type {Record<string, unknown>} Without a prototype, since a property may be named `constructor`. */
  const pairs = Object.create(null)
  /** @param {RegExp} pattern */
  const take = (pattern) => {
    const found = [...rest.matchAll(pattern)].map(
      (match) => match.slice(1).find((part) => part !== undefined) ?? match[0],
    )
    rest = rest.replaceAll(pattern, ' , ')
    return found
  }
  for (const text of take(/\{[^{}]*\}/g)) {
    try {
      for (const [key, value] of Object.entries(JSON.parse(text))) pairs[plain(key)] = value
    } catch {
      rest += ` ${text}`
    }
  }
  const pair =
    /(?<![\w?&/.-])(?![A-Za-z]+[-_]\d)([A-Za-z][\w-]*)(?:\s*=\s*|:\s+)("[^"]*"|'[^']*'|\[[^\]]*\]|(?<==\s*)[^\s,;]+|[^,;\n]+?(?=[,;\n]|\s+[\w-]+:\s|$))/g
  for (const [, key = '', value = ''] of rest.matchAll(pair))
    pairs[plain(key)] = value.replaceAll(/^["']|["']$|\.$/g, '')
  rest = rest.replaceAll(pair, ' , ')
  return {
    pairs,
    quoted: take(/"([^"]+)"|“([^”]+)”|`([^`]+)`|(?<![\w])'([^']+)'(?![\w])/g),
    urls: take(/https?:\/\/[^\s,]+/g),
    emails: take(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g),
    dates: take(/\b\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?/g),
    ids: take(/\b[A-Za-z]{1,12}[-_]\d[\w-]*|\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g),
    numbers: [...rest.matchAll(/(?<![\w.])-?\d+(?:\.\d+)?/g)].map(([number]) => number),
    text: rest,
  }
}

/** A value that the message gives by the property's name, or the enum word in it. @param {string} name @param {Schema} schema @param {Said} said */
function readNamed(name, schema, said) {
  const given = said.pairs[plain(name)]
  if (given !== undefined) return coerce(given, schema)
  const words = name
    .replaceAll(/[_-]/g, ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
  const text = said.text.toLowerCase()
  const allowed = Array.isArray(schema.enum) ? schema.enum : schema.const === undefined ? [] : [schema.const]
  const spoken = allowed.find((value) => new RegExp(`(?<!\\w)${escape(String(value).toLowerCase())}(?!\\w)`).test(text))
  if (allowed.length > 0) return spoken
  const type = typeOf(schema)
  if (type === 'integer' || type === 'number') {
    const beside = new RegExp(
      `\\b${escape(words)}(?: of| is| to)? (-?\\d+(?:\\.\\d+)?)|(?<![\\w.])(\\d+) ${escape(words)}`,
    )
    const found = beside.exec(text)
    if (found) return coerce(takeFrom(said.numbers, found[1] ?? found[2]), schema)
  }
  if (type !== 'boolean') return undefined
  if (new RegExp(`\\b(?:no|not|non|without)[ -]${escape(words)}\\b`).test(text)) return false
  return new RegExp(`\\b${escape(words)}\\b`).test(text) ? true : undefined
}

/** The next piece of the right form for a required property. @param {string} name @param {Schema} schema @param {Said} said */
function readTyped(name, schema, said) {
  if (schema.enum || schema.const !== undefined) return undefined
  const type = typeOf(schema)
  if (type === 'integer')
    return coerce(
      takeFrom(
        said.numbers,
        said.numbers.find((number) => !number.includes('.')),
      ),
      schema,
    )
  if (type === 'number') return coerce(said.numbers.shift(), schema)
  if (type === 'array') return readList(name, schema, said)
  if (type === 'object') {
    const { args, missing } = fillObject(schema, said)
    return missing.length === 0 && Object.keys(args).length > 0 ? args : undefined
  }
  return type === 'string' ? readText(`${schema.format ?? ''} ${name}`.toLowerCase(), said) : undefined
}

/** @param {string} name @param {Schema} schema @param {Said} said */
function readList(name, schema, said) {
  const items = schema.items ?? {}
  const about = `${items.format ?? ''} ${name}`.toLowerCase()
  const type = typeOf(items)
  const isNumeric = type === 'number' || type === 'integer'
  const texts = /email/.test(about) ? said.emails : /_?ids$/.test(about) && said.ids.length > 0 ? said.ids : said.quoted
  const pool = isNumeric ? said.numbers : texts
  const values = pool.splice(0).map((value) => coerce(value, items))
  return values.length > 0 ? values : undefined
}

/** @param {string} about the format and the name @param {Said} said */
function readText(about, said) {
  if (/email/.test(about)) return said.emails.shift()
  if (/^uri|url|link/.test(about)) return said.urls.shift()
  if (about.startsWith('date-time')) {
    const moment = said.dates.shift()
    return moment === undefined || moment.includes('T') ? moment : `${moment}T00:00:00Z`
  }
  if (/^date|date$|\bday$/.test(about)) return said.dates.shift()?.slice(0, 10)
  if (/(?:\b|_|[a-z])(?:id|key|number|code|sku)$/.test(about))
    return said.ids.shift() ?? said.quoted.shift() ?? said.numbers.shift()
  const named = /\b(?:for|of)\s+(?:the\s+|a\s+|an\s+)?([^,.;?!\n]+)/i.exec(said.text)
  return said.quoted.shift() ?? spokenOf(said) ?? named?.[1]?.trim()
}

/** A name in capitals within a sentence, or what follows a word that announces it. @param {Said} said */
function spokenOf(said) {
  const proper = /(?<=[a-z,]\s)(?:[A-Z][\w-]+)(?:\s[A-Z][\w-]+)*/.exec(said.text)
  const announced = /\b(?:named|called|titled|about)\s+(?:the\s+|a\s+|an\s+)?([^,.;?!\n]+)/i.exec(said.text)
  return proper?.[0] ?? announced?.[1]?.trim()
}

/** Text as the type that the schema wants; undefined where it is none. @param {unknown} value @param {Schema} schema @returns {unknown} */
function coerce(value, schema) {
  if (typeof value !== 'string') return value
  const type = typeOf(schema)
  if (type === 'integer' || type === 'number')
    return value.trim() === '' || Number.isNaN(Number(value)) ? undefined : Number(value)
  if (type === 'boolean')
    return /^(?:true|yes|on)$/i.test(value) ? true : /^(?:false|no|off)$/i.test(value) ? false : undefined
  if (type === 'array')
    return value
      .replaceAll(/^\[|\]$/g, '')
      .split(/\s*,\s*|\s+and\s+/)
      .map((part) => coerce(part.replaceAll(/^["']|["']$/g, ''), schema.items ?? {}))
  if (!Array.isArray(schema.enum)) return value.trim()
  return schema.enum.find((each) => String(each).toLowerCase() === value.trim().toLowerCase()) ?? value.trim()
}

/** @param {Schema} schema */
function isFreeText(schema) {
  return typeOf(schema) === 'string' && !schema.enum && !schema.format
}

/** The first type that is not null. @param {Schema} schema @returns {unknown} */
function typeOf(schema) {
  const options = schema.anyOf ?? schema.oneOf ?? []
  const types = [schema.type, ...options.map((option) => option.type)].flat()
  return types.find((type) => type !== undefined && type !== 'null')
}

/** @param {string[]} pool @param {string | undefined} value */
function takeFrom(pool, value) {
  if (value !== undefined && pool.includes(value)) pool.splice(pool.indexOf(value), 1)
  return value
}

/** @param {string} name */
function plain(name) {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/** @param {string} text */
function escape(text) {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** All of the above as text for a program. */
export const fillerSource = [
  fillArguments,
  fillObject,
  readSaid,
  readNamed,
  readTyped,
  readList,
  readText,
  spokenOf,
  coerce,
  isFreeText,
  typeOf,
  takeFrom,
  plain,
  escape,
]
  .map(String)
  .join('\n')
