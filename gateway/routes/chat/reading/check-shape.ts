import type { JsonValue } from '../../../../catalog/json.ts'
import type { Finding, ValuePath } from '../../../schema/find-problems.ts'
import { findProblems, quotePlainly } from '../../../schema/find-problems.ts'
import type { Schema, Static } from '../../../schema/type.ts'
import { HttpError } from '../../../http/http-error.ts'
import { LIST_PROBLEMS_MAX } from '../limits.ts'

/**
 * Refuses a value that does not have the shape, by its first problem; `base` is where it stands in the request.
 * @throws {HttpError} 400 with the field as OpenAI writes it, e.g. `messages[3].content`
 */
export function checkShape<S extends Schema, V extends JsonValue>(
  shape: S,
  value: V,
  base: string,
): asserts value is V & Static<S> {
  const [problem] = problemsOf(shape, value)
  if (problem === undefined) return
  const param = fieldOf(base, problem.path)
  const subject = param === '' ? 'the body' : param
  throw new HttpError('invalid_request', `${subject} ${problem.message}`, param === '' ? {} : { param })
}

export function hasShape<S extends Schema, V extends JsonValue>(shape: S, value: V): value is V & Static<S> {
  return problemsOf(shape, value).length === 0
}

function problemsOf(shape: Schema, value: JsonValue): readonly Finding[] {
  return findProblems(shape, value, { quote: quotePlainly, isOpen: () => false, most: LIST_PROBLEMS_MAX })
}

/** `tools[2].function.name`. */
function fieldOf(base: string, path: ValuePath): string {
  return path.reduce<string>((field, part) => {
    if (typeof part === 'number') return `${field}[${part}]`
    return field === '' ? part : `${field}.${part}`
  }, base)
}
