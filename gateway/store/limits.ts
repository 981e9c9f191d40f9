/** A request may have 20 MB; a message or run past this is a fault, and SQLite would hold it in memory twice. */
export const ROW_BYTES = 32 * 1024 * 1024

/** Someone else (a backup, a shell) may hold the file for a moment; every wait stops the whole gateway. */
export const LOCK_WAIT_MS = 1_000

/** How long receipts wait for their places in the chain: those of many calls get them in one transaction, in which nothing else happens. */
export const PENDING_RECEIPTS_MS = 100
/** The file of what waits is made small again beyond this and twice its notes, where calls are always under way: about 1,700 of their receipts. */
export const PENDING_FILE_BYTES = 1024 * 1024
/** As many as are written in 2 ms. */
export const PENDING_RECEIPTS_COUNT = 100

/** Tokens that a process knows without asking its file: more than any team has people and bots. */
export const KNOWN_TOKENS_COUNT = 1_000

/** Rows of one listing: a page that a person reads. */
export const LIST_ROWS = 1_000

/** Rows of a chain that are read and checked in one step: about 10 ms in which nothing else happens. */
export const CHAIN_PAGE_ROWS = 500

/** Faults of one chain that are named; a chain with more is not read line by line. */
export const CHAIN_FAULTS = 100

/** How far around a row its own place is looked for: 20,000 hashes are about 40 ms. */
export const CHAIN_MOVE_PLACES = 10_000

/** Receipts of two thousand calls: so many may be under way, and then need room, when the disk is found full. */
export const ROOM_BYTES = 1024 * 1024
/** Between two looks at a disk with room: a look is 3 µs, and calls may come by the ten thousand a second. */
export const ROOM_LOOK_MS = 250
