/** A description on one line of a terminal of usual width, behind an id. */
export const DESCRIPTION_CHARS = 100

/** Tools asked for at a time when all are listed. */
export const LIST_PAGE = 1_000

/** An answer that never ends must not keep a command busy for ever: 500,000 tools. */
export const LIST_PAGES_MAX = 500

/** What is shown of an approval's input in a list, on one line. */
export const APPROVAL_INPUT_CHARS = 240

/** Choices of one field that a list shows; the rest is a number. */
export const CHOICES_SHOWN = 20

/** A gateway looks at its file ten times a second and reads it once it has stood still: 200 ms and the reading. */
export const TAKE_UP_WAIT_MS = 1_000
export const TAKE_UP_LOOK_MS = 40

/** Receipts asked for at a time: as many as one answer of the gateway holds. */
export const EXPORT_PAGE = 1_000

/** Longest that the doctor waits for servers and plugins: one that npx fetches first takes about 10 s. */
export const SOURCES_WAIT_MS = 20_000
export const SOURCES_LOOK_MS = 50

/** One server that a person waits for: as long as the gateway gives a first start, which may download a package. */
export const SERVER_WAIT_MS = 60_000

/** A list of models comes in well under a second; a person waits for this one. */
export const PROVIDER_WAIT_MS = 5_000

/** Writes take milliseconds: what is older was left by a process that is gone. */
export const STALE_FILE_MS = 60_000
