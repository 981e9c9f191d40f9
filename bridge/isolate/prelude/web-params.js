// URLSearchParams: pairs of texts, read and written by the worker's own Node.
import {
  ArrayCtor,
  StringCtor,
  TypeErrorCtor,
  apply,
  define,
  defineProperty,
  getOwnPropertyDescriptor,
  isArray,
  ownKeys,
  parse,
  put,
  setPrototypeOf,
  stringify,
} from './primordials.js'

const arrayFrom = Array.from
const entriesOf = Object.entries

/** Made when a program first asks for it: it may have patched the language by then. */
export function makeSearchParams(ask) {
  /** What only this file may do with them. */
  const inner = { __proto__: null }
  class URLSearchParams {
    #pairs
    #changed
    constructor(init = '') {
      this.#pairs = parse(ask('query', initialText(init, ask), ''))
    }
    static {
      inner.boundTo = (search, changed) => {
        const params = new URLSearchParams(search)
        params.#changed = changed
        return params
      }
      inner.refill = (params, search) => {
        params.#pairs = parse(ask('query', search, ''))
      }
      inner.pairsOf = (params) => params.#pairs
      inner.update = (params, pairs) => {
        params.#pairs = pairs
        params.#changed?.(ask('query-text', pairsText(pairs), ''))
      }
    }
    toString() {
      return ask('query-text', pairsText(this.#pairs), '')
    }
    toJSON() {
      return this.toString()
    }
  }
  addReading(URLSearchParams.prototype, inner.pairsOf)
  addWriting(URLSearchParams.prototype, inner.pairsOf, inner.update)
  return { URLSearchParams, boundTo: inner.boundTo, refill: inner.refill }
}

function addReading(prototype, pairsOf) {
  const reading = {
    get size() {
      return pairsOf(this).length
    },
    get(name) {
      const key = StringCtor(name)
      const found = matching(pairsOf(this), (pair) => pair[0] === key)
      return found.length === 0 ? null : found[0][1]
    },
    getAll(name) {
      const key = StringCtor(name)
      const found = matching(pairsOf(this), (pair) => pair[0] === key)
      for (let index = 0; index < found.length; index++) put(found, index, found[index][1])
      return found
    },
    has(name, value) {
      return matching(pairsOf(this), matcher(name, value)).length > 0
    },
    forEach(callback, self) {
      const pairs = pairsOf(this)
      for (let index = 0; index < pairs.length; index++) apply(callback, self, [pairs[index][1], pairs[index][0], this])
    },
    *entries() {
      for (let index = 0; index < pairsOf(this).length; index++) {
        const pair = pairsOf(this)[index]
        yield [pair[0], pair[1]]
      }
    },
    *keys() {
      for (let index = 0; index < pairsOf(this).length; index++) yield pairsOf(this)[index][0]
    },
    *values() {
      for (let index = 0; index < pairsOf(this).length; index++) yield pairsOf(this)[index][1]
    },
  }
  addHidden(prototype, reading)
  define(prototype, Symbol.iterator, prototype.entries)
}

function addWriting(prototype, pairsOf, update) {
  addHidden(prototype, {
    append(name, value) {
      const pairs = matching(pairsOf(this), () => true)
      put(pairs, pairs.length, [StringCtor(name), StringCtor(value)])
      update(this, pairs)
    },
    set(name, value) {
      const isNamed = matcher(name, undefined)
      const changed = [StringCtor(name), StringCtor(value)]
      let isThere = false
      const pairs = matching(pairsOf(this), (pair) => {
        if (!isNamed(pair)) return true
        const isFirst = !isThere
        isThere = true
        return isFirst
      })
      let at = 0
      while (at < pairs.length && !isNamed(pairs[at])) at++
      put(pairs, at, changed)
      update(this, pairs)
    },
    delete(name, value) {
      const isMeant = matcher(name, value)
      update(
        this,
        matching(pairsOf(this), (pair) => !isMeant(pair)),
      )
    },
    sort() {
      update(this, sorted(pairsOf(this)))
    },
  })
}

function addHidden(prototype, members) {
  const names = ownKeys(members)
  for (let index = 0; index < names.length; index++) {
    const descriptor = setPrototypeOf(getOwnPropertyDescriptor(members, names[index]), null)
    put(descriptor, 'enumerable', false)
    defineProperty(prototype, names[index], descriptor)
  }
}

/** Those of which it holds, as a list of its own. */
function matching(pairs, holds) {
  const found = new ArrayCtor()
  for (let index = 0; index < pairs.length; index++) if (holds(pairs[index])) put(found, found.length, pairs[index])
  return found
}

function matcher(name, value) {
  const key = StringCtor(name)
  const wanted = value === undefined ? undefined : StringCtor(value)
  return (pair) => pair[0] === key && (wanted === undefined || pair[1] === wanted)
}

/** By name, those of one name in their order: merged from halves, since a patched `sort` would be given ours. */
function sorted(pairs) {
  let from = pairs
  for (let width = 1; width < pairs.length; width *= 2) {
    const merged = new ArrayCtor()
    for (let start = 0; start < pairs.length; start += 2 * width) {
      const middle = start + width < pairs.length ? start + width : pairs.length
      const end = middle + width < pairs.length ? middle + width : pairs.length
      let left = start
      let right = middle
      while (left < middle || right < end) {
        const takesLeft = right >= end || (left < middle && from[left][0] <= from[right][0])
        put(merged, merged.length, takesLeft ? from[left++] : from[right++])
      }
    }
    from = merged
  }
  return matching(from, () => true)
}

/** JSON of a list of texts: `JSON.stringify` of an array would ask for its `toJSON`. */
export function listText(texts) {
  let json = ''
  for (let index = 0; index < texts.length; index++) json += `${index === 0 ? '' : ','}${stringify(texts[index])}`
  return `[${json}]`
}

function pairsText(pairs) {
  let json = ''
  for (let index = 0; index < pairs.length; index++) json += `${index === 0 ? '' : ','}${listText(pairs[index])}`
  return `[${json}]`
}

/** From text, pairs, another list of parameters, or an object. */
function initialText(init, ask) {
  if (typeof init !== 'object' || init === null) return StringCtor(init)
  const isList = typeof init[Symbol.iterator] === 'function'
  const given = isList ? apply(arrayFrom, ArrayCtor, [init]) : entriesOf(init)
  const pairs = new ArrayCtor()
  for (let index = 0; index < given.length; index++) {
    const pair = given[index]
    if (!isArray(pair) || pair.length !== 2) throw new TypeErrorCtor('URLSearchParams: not pairs')
    put(pairs, index, [StringCtor(pair[0]), StringCtor(pair[1])])
  }
  return ask('query-text', pairsText(pairs), '')
}
