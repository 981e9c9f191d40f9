/** How often old things are looked for. They are kept by the day, so that an hour more or less does not matter. */
export const EXPIRY_INTERVAL_MS = 3_600_000

/** How long a stream goes on at most after its token was revoked through another gateway on the same store. */
export const REVOCATION_INTERVAL_MS = 5_000

export const DAY_MS = 86_400_000

/** A client that sends no result for a week has gone; one that comes later goes on by its own history. */
export const UNCLAIMED_KEPT_MS = 7 * DAY_MS

/** Sources that start bring their tools one after the other; names are judged when that has come to rest. */
export const NAMES_QUIET_MS = 2_000

/** Receipts of one tenant that are read at start; older calls say little of what is searched for now. */
export const RECEIPTS_LEARNED_FROM = 1_000
