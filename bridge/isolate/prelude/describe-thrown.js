import { isError, stringSlice, stringToWellFormed } from './primordials.js'
import { primitiveText, textOf } from './reading.js'
import { toJsonForm } from './json-form.js'

const NAME_CHARS = 128

/** What a program threw, as text, whatever it is and whatever its getters do. */
export function describeThrown(error, limit) {
  if (typeof error === 'string') return stringToWellFormed(stringSlice(error, 0, limit))
  if (typeof error !== 'object' || error === null) return primitiveText(error)
  if (isError(error)) {
    const name = textOf(() => error.name, 'Error', NAME_CHARS)
    const message = textOf(() => error.message, '', limit)
    return message === '' ? name : `${name}: ${message}`
  }
  const form = toJsonForm(error, { mode: 'value', limit, depth: 4, settled: undefined, reads: undefined })
  return form.problem === undefined ? form.text : 'an object that is too large to show'
}
