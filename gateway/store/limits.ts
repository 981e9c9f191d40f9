/** A request may have 20 MB; a message or run past this is a fault, and SQLite would hold it in memory twice. */
export const ROW_BYTES = 32 * 1024 * 1024

/** Someone else (a backup, a shell) may hold the file for a moment; every wait stops the whole gateway. */
export const LOCK_WAIT_MS = 1_000

/** Rows of one listing: a page that a person reads. */
export const LIST_ROWS = 1_000
