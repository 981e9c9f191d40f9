import type { Static, TProperties, TSchema } from 'typebox'
import type { Validator } from 'typebox/compile'
import { HttpError } from '../http-error.ts'

/**
 * Refuses a value that does not have the shape, by its first problem; `base` is where it stands in the request.
 * @throws {HttpError} 400 with the field as OpenAI writes it, e.g. `messages[3].content`
 */
export function checkShape<S extends TSchema>(
  validator: Validator<TProperties, S>,
  value: unknown,
  base: string,
): asserts value is Static<S> {
  if (validator.Check(value)) return
  const [problem] = validator.Errors(value)
  const missing = problem?.keyword === 'required' ? problem.params.requiredProperties[0] : undefined
  const param = fieldOf(base, `${problem?.instancePath ?? ''}${missing === undefined ? '' : `/${missing}`}`)
  const what = missing === undefined ? (problem?.message ?? 'has the wrong shape') : 'is required'
  const subject = param === '' ? 'the body' : param
  throw new HttpError('invalid_request', `${subject} ${what}`, param === '' ? {} : { param })
}

/** `/tools/2/function/name` as `tools[2].function.name`. */
function fieldOf(base: string, pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .reduce((field, part) => {
      if (/^\d+$/.test(part)) return `${field}[${part}]`
      return field === '' ? part : `${field}.${part}`
    }, base)
}
