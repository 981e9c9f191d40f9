// URL and URLSearchParams. The worker's own Node reads and writes them: text goes out, text comes back.
import { ArrayCtor, apply, StringCtor, TypeErrorCtor, define, isArray, parse, stringify } from './primordials.js'

const TEXT_MAX_CHARS = 1_000_000
const PARTS = ['href', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash']

export function makeUrlClasses(help) {
  const ask = (kind, a, b) => {
    if (a.length > TEXT_MAX_CHARS || b.length > TEXT_MAX_CHARS) throw new TypeErrorCtor('URL: text too long')
    return help(kind, a, b)
  }
  const SearchParams = makeSearchParams(ask)
  return { URL: makeUrl(ask, SearchParams), URLSearchParams: SearchParams.URLSearchParams }
}

function makeUrl(ask, SearchParams) {
  let read
  let write
  class URL {
    #parts
    #params
    constructor(url, base) {
      this.#parts = urlParts(ask('url', StringCtor(url), base === undefined ? '' : StringCtor(base)))
      if (this.#parts === undefined) throw new TypeErrorCtor(`Invalid URL: ${StringCtor(url).slice(0, 200)}`)
    }
    static canParse(url, base) {
      return ask('url', StringCtor(url), base === undefined ? '' : StringCtor(base)) !== ''
    }
    static parse(url, base) {
      return URL.canParse(url, base) ? new URL(url, base) : null
    }
    static {
      read = (self, name) => self.#parts[name]
      write = (self, name, value) => {
        const parts = urlParts(ask('url-set', stringify([self.#parts.href, name]), StringCtor(value)))
        if (parts !== undefined) self.#parts = parts
        else if (name === 'href') throw new TypeErrorCtor('Invalid URL')
        if (self.#params !== undefined) SearchParams.refill(self.#params, self.#parts.search)
      }
    }
    get origin() {
      return this.#parts.origin
    }
    get searchParams() {
      this.#params ??= SearchParams.boundTo(this.#parts.search, (search) => {
        this.#parts = urlParts(ask('url-set', stringify([this.#parts.href, 'search']), search))
      })
      return this.#params
    }
    toString() {
      return this.#parts.href
    }
    toJSON() {
      return this.#parts.href
    }
  }
  for (const name of PARTS) {
    Reflect.defineProperty(URL.prototype, name, {
      __proto__: null,
      get() {
        return read(this, name)
      },
      set(value) {
        write(this, name, value)
      },
      enumerable: true,
      configurable: true,
    })
  }
  return URL
}

function urlParts(json) {
  return json === '' ? undefined : parse(json)
}

function makeSearchParams(ask) {
  /** What only this file may do with them. */
  const inner = {}
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
        params.#changed?.(ask('query-text', stringify(pairs), ''))
      }
    }
    toString() {
      return ask('query-text', stringify(this.#pairs), '')
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
      const found = pairsOf(this).find((pair) => pair[0] === StringCtor(name))
      return found === undefined ? null : found[1]
    },
    getAll(name) {
      return pairsOf(this)
        .filter((pair) => pair[0] === StringCtor(name))
        .map((pair) => pair[1])
    },
    has(name, value) {
      return pairsOf(this).some((pair) => matches(pair, name, value))
    },
    forEach(callback, self) {
      for (const pair of pairsOf(this)) apply(callback, self, [pair[1], pair[0], this])
    },
    *entries() {
      for (const pair of pairsOf(this)) yield [pair[0], pair[1]]
    },
    *keys() {
      for (const pair of pairsOf(this)) yield pair[0]
    },
    *values() {
      for (const pair of pairsOf(this)) yield pair[1]
    },
  }
  addHidden(prototype, reading)
  define(prototype, Symbol.iterator, Object.getOwnPropertyDescriptor(prototype, 'entries').value)
}

function addWriting(prototype, pairsOf, update) {
  addHidden(prototype, {
    append(name, value) {
      update(this, pairsOf(this).concat([[StringCtor(name), StringCtor(value)]]))
    },
    set(name, value) {
      const pairs = pairsOf(this)
      const first = pairs.findIndex((pair) => matches(pair, name, undefined))
      const others = pairs.filter((pair, index) => index === first || !matches(pair, name, undefined))
      const changed = [StringCtor(name), StringCtor(value)]
      update(this, first === -1 ? others.concat([changed]) : others.with(first, changed))
    },
    delete(name, value) {
      update(
        this,
        pairsOf(this).filter((pair) => !matches(pair, name, value)),
      )
    },
    sort() {
      update(
        this,
        pairsOf(this).toSorted((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0)),
      )
    },
  })
}

function addHidden(prototype, members) {
  const descriptors = Object.getOwnPropertyDescriptors(members)
  for (const name of Object.keys(descriptors)) {
    Reflect.defineProperty(prototype, name, { __proto__: null, ...descriptors[name], enumerable: false })
  }
}

function matches(pair, name, value) {
  return pair[0] === StringCtor(name) && (value === undefined || pair[1] === StringCtor(value))
}

/** From text, pairs, another list of parameters, or an object. */
function initialText(init, ask) {
  if (typeof init !== 'object' || init === null) return StringCtor(init)
  const isList = typeof init[Symbol.iterator] === 'function'
  const pairs = isList ? ArrayCtor.from(init) : Object.entries(init)
  if (!pairs.every((pair) => isArray(pair) && pair.length === 2)) throw new TypeErrorCtor('URLSearchParams: not pairs')
  return ask('query-text', stringify(pairs.map((pair) => [StringCtor(pair[0]), StringCtor(pair[1])])), '')
}
