/** A description on one line of a terminal of usual width, behind an id. */
export const DESCRIPTION_CHARS = 100

/** Tools asked for at a time when all are listed. */
export const LIST_PAGE = 1_000

/** An answer that never ends must not keep a command busy for ever: 500,000 tools. */
export const LIST_PAGES_MAX = 500

/** Receipts asked for at a time: as many as one answer of the gateway holds. */
export const EXPORT_PAGE = 1_000
