/** Entries of `toolsAllow`: more is a policy, which belongs into the configuration. */
export const TOOLS_ALLOW_ENTRIES_MAX = 1_000

/** Characters of one of them: the longest id of a tool, with room for what a pattern adds. */
export const TOOLS_ALLOW_ENTRY_MAX_LENGTH = 600

/** Tools on one page of a listing: what a person scrolls through. */
export const TOOLS_PAGE_ROWS = 100

/** What a script may ask for at a time, so that no answer holds the others up. */
export const TOOLS_PAGE_ROWS_MAX = 1_000

/** Receipts on one page: what a person scrolls through. */
export const RECEIPTS_PAGE_ROWS = 100

/** What a script may ask for at a time, so that no answer holds the others up. */
export const RECEIPTS_PAGE_ROWS_MAX = 1_000

/**
 * Levels of lists and objects in a request body. Far beyond any honest body; what reads, prints or redacts JSON later
 * recurses a few frames a level, and a body of 200 KB can nest deep enough to exhaust the stack.
 */
export const BODY_MAX_DEPTH = 200

/**
 * Values in the lists and objects of a request body, in all: of eighty thousand messages. Each is looked at several
 * times while other callers wait: a body of 18 MB with a million of them took seven seconds.
 */
export const BODY_MAX_VALUES = 250_000

/** UTF-16 units of a body whose text is looked at before its values are: a call with the arguments of nearly every tool. */
export const SMALL_BODY_LENGTH = 4_000

/** Approvals of one listing, where nothing is said, and at most. */
export const APPROVALS_PAGE_ROWS = 100
export const APPROVALS_PAGE_ROWS_MAX = 1_000

/** Results that a client brings to one run at once: as many as the calls of one run by default. */
export const RUN_RESULTS_MAX = 64

/** Of an address that is not there, as its error repeats it: a line that a person reads. */
export const SHOWN_PATH_MAX_LENGTH = 200
