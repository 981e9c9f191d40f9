/**
 * The reason of an abort that is no cancellation: whoever asked is not there any more, and did not ask for anything to be
 * undone. What waits is parked by it, everything else ends. Its name makes it an abort like any other to `fetch` and to
 * code that looks at names.
 */
export class CallerLeft extends Error {
  override readonly name = 'AbortError'
}
