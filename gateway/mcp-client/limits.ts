/** Changes of one server come in bursts: a connection clears, proves and writes what is known within a second. */
export const MEMORY_WRITE_MS = 500
/** A list of thousands is 0.1 s of work to keep; a server that changes its own all the time must not cost that each time. */
export const MEMORY_SPACING_MS = 10_000
/** Tools of one server that are kept over restarts, in characters of JSON: some 2,000 tools of 4 KB, read at each start. */
export const REMEMBERED_MAX_LENGTH = 8 * 1024 * 1024
/** Tools that are redacted in one go: some milliseconds in which nothing else happens. */
export const REDACTED_AT_ONCE = 100
/** A person reads, logs in with a second factor, and agrees. */
export const LOGIN_WAIT_MS = 10 * 60_000
/** What comes to the redirect address is one line of a browser's; nobody else has anything to say there. */
export const REDIRECT_HEADER_MAX_BYTES = 16_384
/** A server's log over this size is set aside; one is kept beside it. */
export const SERVER_LOG_MAX_BYTES = 4 * 1024 * 1024
/** Lines of one server that wait for the disk; the journal lets some hundred a minute through. */
export const SERVER_LOG_LINES_MAX = 1_000
