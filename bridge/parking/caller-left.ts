/** The reason of an abort by which nobody wants less to be done: whoever asked is just not there any more. */
export class CallerLeft extends Error {
  override readonly name = 'CallerLeft'
}
