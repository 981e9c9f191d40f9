// URL and URLSearchParams. The worker's own Node reads and writes them: text goes out, text comes back.
import { StringCtor, TypeErrorCtor, defineProperty, parse, stringSlice } from './primordials.js'
import { listText, makeSearchParams } from './web-params.js'

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
      if (this.#parts === undefined) throw new TypeErrorCtor(`Invalid URL: ${stringSlice(StringCtor(url), 0, 200)}`)
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
        const parts = urlParts(ask('url-set', listText([self.#parts.href, name]), StringCtor(value)))
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
        this.#parts = urlParts(ask('url-set', listText([this.#parts.href, 'search']), search))
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
  for (let index = 0; index < PARTS.length; index++)
    definePart(URL.prototype, PARTS[index], { __proto__: null, read, write })
  return URL
}

function definePart(prototype, name, { read, write }) {
  defineProperty(prototype, name, {
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

function urlParts(json) {
  return json === '' ? undefined : parse(json)
}
