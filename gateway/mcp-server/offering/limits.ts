/** Servers that are asked at once for a list. */
export const SERVERS_AT_ONCE = 8
/** A server that does not list in time is left out of the answer. */
export const LIST_WAIT_MS = 5_000
/** A list that is screened before the first of it is given: who asked for that one waits for it. */
export const LOOK_WAIT_MS = 10_000
/** Pages of one server's list. */
export const LIST_PAGES_MAX = 20
/** Resources, templates or prompts of one server; more than a person or model looks through. */
export const LIST_ITEMS_MAX = 1_000
/** A resource that is read or a prompt that is filled in: as long as a call without progress. */
export const READ_WAIT_MS = 60_000
