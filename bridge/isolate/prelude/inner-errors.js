// What stands behind an error: the errors that it is made of, or because of.
import { isArray } from './primordials.js'
import { describeThrown } from './describe-thrown.js'
import { read } from './reading.js'

const INNER_ERRORS = 3
const INNER_ERROR_CHARS = 300

/** What several failed promises failed of, and what an error was thrown because of. */
export function innerMessages(error) {
  const errors = read(() => error.errors)
  if (!errors.threw && isArray(errors.value)) {
    let text = ''
    for (let index = 0; index < INNER_ERRORS; index++) {
      const inner = read(() =>
        index < errors.value.length ? describeThrown(errors.value[index], INNER_ERROR_CHARS) : '',
      )
      if (!inner.threw && inner.value !== '') text += `${index === 0 ? ': ' : '; '}${inner.value}`
    }
    return text
  }
  const suppressed = read(() =>
    'suppressed' in error ? { __proto__: null, last: error.error, first: error.suppressed } : undefined,
  )
  if (!suppressed.threw && suppressed.value !== undefined) {
    const { last, first } = suppressed.value
    return `: ${describeThrown(last, INNER_ERROR_CHARS)}; after ${describeThrown(first, INNER_ERROR_CHARS)}`
  }
  const cause = read(() => error.cause)
  return cause.threw || cause.value === undefined ? '' : ` (cause: ${describeThrown(cause.value, INNER_ERROR_CHARS)})`
}
