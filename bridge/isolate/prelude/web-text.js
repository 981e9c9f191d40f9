// Text and bytes: TextEncoder, TextDecoder, atob, btoa.
import {
  ErrorCtor,
  RangeErrorCtor,
  StringCtor,
  TypeErrorCtor,
  Uint8ArrayCtor,
  bufferByteLength,
  define,
  stringCharCodeAt,
  stringSlice,
  stringToWellFormed,
  typedArrayBuffer,
  typedArrayByteLength,
  typedArrayByteOffset,
  typedArrayLength,
  typedArrayTag,
  viewBuffer,
  viewByteLength,
  viewByteOffset,
} from './primordials.js'
import { read } from './reading.js'

const fromCharCode = String.fromCharCode
const fromCodePoint = String.fromCodePoint
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const REPLACEMENT = '\ufffd'
const NO_OPTIONS = { __proto__: null }
const UTF8_LABELS = { __proto__: null, 'utf-8': true, utf8: true, 'unicode-1-1-utf-8': true }

export function makeTextEncoder() {
  return class TextEncoder {
    get encoding() {
      return 'utf-8'
    }
    encode(input = '') {
      return encodeUtf8(StringCtor(input))
    }
    encodeInto(input, target) {
      const bytes = encodeUtf8(StringCtor(input))
      const length = typedArrayLength(bytes)
      const room = typedArrayLength(target)
      const written = length < room ? length : room
      for (let index = 0; index < written; index++) target[index] = bytes[index]
      return { read: input.length, written }
    }
  }
}

export function makeTextDecoder() {
  return class TextDecoder {
    #fatal
    #keepsMark
    #rest = new Uint8ArrayCtor(0)
    #hasStarted = false
    constructor(label = 'utf-8', options = NO_OPTIONS) {
      if (UTF8_LABELS[StringCtor(label)] !== true) throw new RangeErrorCtor('TextDecoder: only utf-8 is there')
      this.#fatal = options.fatal === true
      this.#keepsMark = options.ignoreBOM === true
    }
    get encoding() {
      return 'utf-8'
    }
    get fatal() {
      return this.#fatal
    }
    get ignoreBOM() {
      return this.#keepsMark
    }
    decode(input, options = NO_OPTIONS) {
      const bytes = joined(this.#rest, input === undefined ? new Uint8ArrayCtor(0) : bytesOf(input))
      const isLast = options.stream !== true
      const decoded = decodeUtf8(bytes, { __proto__: null, isFatal: this.#fatal, isLast })
      this.#rest = isLast ? new Uint8ArrayCtor(0) : decoded.rest
      const { text } = decoded
      const hasMark = !this.#hasStarted && !this.#keepsMark && stringCharCodeAt(text, 0) === 0xfeff
      if (text.length > 0) this.#hasStarted = !isLast
      return hasMark ? stringSlice(text, 1) : text
    }
  }
}

export function btoa(input) {
  const text = StringCtor(input)
  let encoded = ''
  for (let index = 0; index < text.length; index += 3) {
    const left = text.length - index
    const bits = (byteAt(text, index) << 16) | (byteAt(text, index + 1) << 8) | byteAt(text, index + 2)
    encoded += BASE64[bits >> 18] + BASE64[(bits >> 12) & 63]
    encoded += (left > 1 ? BASE64[(bits >> 6) & 63] : '=') + (left > 2 ? BASE64[bits & 63] : '=')
  }
  return encoded
}

export function atob(input) {
  const text = StringCtor(input)
  let decoded = ''
  let bits = 0
  let count = 0
  for (let index = 0; index < text.length; index++) {
    const code = stringCharCodeAt(text, index)
    // White space and padding carry nothing.
    if (code === 0x20 || (code >= 9 && code <= 13) || code === 0x3d) continue
    const value = base64Value(code)
    if (value === -1) throw named(new ErrorCtor('atob: not base64'), 'InvalidCharacterError')
    bits = ((bits << 6) | value) & 0xffffff
    count++
    if (count % 4 !== 1) decoded += fromCharCode((bits >> (6 - 2 * ((count - 1) % 4))) & 0xff)
  }
  if (count % 4 === 1) throw named(new ErrorCtor('atob: not base64'), 'InvalidCharacterError')
  return decoded
}

function byteAt(text, index) {
  if (index >= text.length) return 0
  const code = stringCharCodeAt(text, index)
  if (code > 0xff) throw named(new ErrorCtor('btoa: a character is beyond U+00FF'), 'InvalidCharacterError')
  return code
}

function base64Value(code) {
  if (code >= 65 && code <= 90) return code - 65
  if (code >= 97 && code <= 122) return code - 71
  if (code >= 48 && code <= 57) return code + 4
  return code === 43 ? 62 : code === 47 ? 63 : -1
}

function named(error, name) {
  define(error, 'name', name)
  return error
}

function encodeUtf8(input) {
  const text = stringToWellFormed(input)
  let length = 0
  for (let index = 0; index < text.length; index++) length += unitBytes(stringCharCodeAt(text, index))
  const bytes = new Uint8ArrayCtor(length)
  let at = 0
  for (let index = 0; index < text.length; index++) {
    let code = stringCharCodeAt(text, index)
    if (code >= 0xd800 && code <= 0xdbff) {
      code = 0x10000 + ((code - 0xd800) << 10) + (stringCharCodeAt(text, ++index) - 0xdc00)
    }
    at = putCodePoint(bytes, at, code)
  }
  return bytes
}

/** A pair of surrogates is four bytes: two each. */
function unitBytes(code) {
  if (code < 0x80) return 1
  return code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3
}

function putCodePoint(bytes, at, code) {
  if (code < 0x80) {
    bytes[at] = code
    return at + 1
  }
  const more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3
  bytes[at] = (more === 1 ? 0xc0 : more === 2 ? 0xe0 : 0xf0) | (code >> (6 * more))
  for (let left = more - 1; left >= 0; left--) bytes[at + more - left] = 0x80 | ((code >> (6 * left)) & 0x3f)
  return at + more + 1
}

/** By the decoder of the Encoding standard: one replacement for each longest broken start of a character. */
function decodeUtf8(bytes, options) {
  const length = typedArrayLength(bytes)
  let text = ''
  let index = 0
  while (index < length) {
    const first = bytes[index]
    const more = first < 0x80 ? 0 : first < 0xc2 ? -1 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : first < 0xf5 ? 3 : -1
    let code = more <= 0 ? first : first & (0x3f >> more)
    let taken = 1
    let low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80
    let high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf
    while (taken <= more && index + taken < length) {
      const next = bytes[index + taken]
      if (next < low || next > high) break
      code = (code << 6) | (next & 0x3f)
      low = 0x80
      high = 0xbf
      taken++
    }
    const isCut = more > 0 && taken <= more && index + taken === length
    if (isCut && !options.isLast) return { __proto__: null, text, rest: tail(bytes, index) }
    if (more === -1 || taken <= more) {
      if (options.isFatal) throw new TypeErrorCtor('TextDecoder: the bytes are no UTF-8')
      text += REPLACEMENT
    } else text += fromCodePoint(code)
    index += taken
  }
  return { __proto__: null, text, rest: new Uint8ArrayCtor(0) }
}

function tail(bytes, start) {
  const length = typedArrayLength(bytes)
  const rest = new Uint8ArrayCtor(length - start)
  for (let index = start; index < length; index++) rest[index - start] = bytes[index]
  return rest
}

function joined(a, b) {
  const first = typedArrayLength(a)
  if (first === 0) return b
  const second = typedArrayLength(b)
  const bytes = new Uint8ArrayCtor(first + second)
  for (let index = 0; index < first; index++) bytes[index] = a[index]
  for (let index = 0; index < second; index++) bytes[first + index] = b[index]
  return bytes
}

function bytesOf(input) {
  if (typedArrayTag(input) !== undefined) {
    return new Uint8ArrayCtor(typedArrayBuffer(input), typedArrayByteOffset(input), typedArrayByteLength(input))
  }
  const buffer = read(() => (bufferByteLength(input) >= 0 ? input : undefined))
  if (!buffer.threw) return new Uint8ArrayCtor(buffer.value)
  const view = read(() => new Uint8ArrayCtor(viewBuffer(input), viewByteOffset(input), viewByteLength(input)))
  if (view.threw) throw new TypeErrorCtor('TextDecoder: give a typed array, an ArrayBuffer or a DataView')
  return view.value
}
