/**
 * The reason of an abort by which nobody wants less to be done: whoever asked is just not there any more. By its name it
 * is an abort like any other, to `fetch` and to those who look at names.
 */
export class CallerLeft extends Error {
  override readonly name = 'AbortError'
}
