/** Slips that a word of this length may hold and still be told from its neighbours. */
export function slipsAllowed(length: number): number {
  if (length < 4) return 0
  return length < 8 ? 1 : 2
}
