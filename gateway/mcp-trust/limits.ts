/** Pins wait so long to be written together: a server that comes up brings all of its tools at once. */
export const PIN_WRITE_MS = 200
/** Pins in one transaction: some milliseconds in which nothing else happens. */
export const PINS_PER_WRITE = 100
/** Line of a diff, in characters; a description of one line of 5,000 is no line to look at. */
export const DIFF_LINE_LENGTH = 100
/** One side of a diff, in characters: a schema past this is compared by its beginning, and said to be cut. */
export const DIFF_MAX_LENGTH = 200_000
/** Lines that may differ; texts that share less are shown one after the other. */
export const DIFF_MAX_EDITS = 1_000
