/** What stands in place of a secret. */
export const REDACTED = '[redacted]'
/** Shortest exact secret that is looked for: a shorter one would be found inside ordinary words. */
export const SECRET_MIN_LENGTH = 6
/** Levels of JSON that are walked; nothing honest is nested deeper, and recursion must end. */
export const REDACTED_DEPTH = 256
/** Longest name of a secret that is looked at; bounds the work at each character. */
export const NAME_MAX_LENGTH = 80
/** Passes over one text: a replacement may bring together what the next pass must see; few ever need a third. */
export const PASSES_MAX = 8
