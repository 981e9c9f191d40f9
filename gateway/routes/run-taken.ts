import { HttpError } from '../http/http-error.ts'

/** The 409 of a run whose client chose an id that another run has, or had. */
export function runTaken(id: string): HttpError {
  return new HttpError('conflict', `there is a run ${JSON.stringify(id)} already; choose another id`, { param: 'id' })
}
