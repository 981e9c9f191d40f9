/** A configuration of 10,000 policy entries is about 600 KB; more than this is a mistake (a database, a log). */
export const CONFIG_FILE_BYTES = 4 * 1024 * 1024

/** Far above any real configuration (about 8 levels), far below what overflows the parser's stack. */
export const CONFIG_DEPTH = 100

/** A secret's file holds one key; a certificate chain is about 10 KB. */
export const SECRET_FILE_BYTES = 64 * 1024

/** Password managers ask for a touch or a network round trip; longer and a reload seems to hang. */
export const SECRET_COMMAND_MS = 10_000

/** A password manager that asks nobody has answered by then; who waits longer for one server lets all others wait. */
export const SERVER_SECRET_WAIT_MS = 1_500

/** Shorter values ("1", "dev") stand in every log line by chance: replacing them would hide more than it protects. */
export const REDACTED_SECRET_CHARS = 8

/** Of each kind: states of the file that were replaced (as the reference system keeps), and texts that were refused. */
export const COPIES_KEPT = 5

/**
 * Two looks at an unchanged file, then the load: a command waits for it, and a person behind it. Ten looks a second take
 * 3 ms of a core, twice of what five do.
 */
export const WATCH_INTERVAL_MS = 100

/** A write holds the lock for milliseconds; who waits longer meets a lock that a killed process left. */
export const WRITE_LOCK_STALE_MS = 5_000
export const WRITE_LOCK_RETRY_MS = 25

/** Of `tools.toolSearch`, as people know them from the reference system. */
export const CODE_TIMEOUT_MS = 10_000
export const SEARCH_DEFAULT_LIMIT = 8
export const MAX_SEARCH_LIMIT = 20

/** A list or object that prints shorter stands on one line, as people write them. */
export const INLINE_CHARS = 60

/** Names of a tool list that match nothing and are told; who has more has named a server or plugin that is not there. */
export const UNMATCHED_NAMES = 20
