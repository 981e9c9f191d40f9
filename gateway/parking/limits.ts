/** A turn's id beside its key. */
export const TURN_POINTER_MAX_BYTES = 1_024

/** What is told of a turn or call that has gone on: its answer, and room. */
export const TOLD_MAX_BYTES = 8 * 1024 * 1024

/** Between two attempts at work that found no worker, or whose store refused: a busy machine or a backup is soon over. */
export const RETRY_MS = 2_000

/** After a gateway on a shared store was killed its work goes on elsewhere so much later; a busy one renews it thrice in that time. */
export const CLAIM_LEASE_MS = 30_000

/** Between two looks at work that another gateway is at: what a person waits without noticing. */
export const CLAIM_LOOK_MS = 250

/** Pieces of work that go on at one time: ten thousand that expire together must not take every worker and provider. */
export const RESUMES_AT_ONCE = 16

/** The longest that what waits is not gone on with after a start: a plugin has 10 s, a slow server half a minute. */
export const SOURCES_START_MS = 60_000

/** Between two looks at sources that are still starting: short against their start. */
export const SOURCES_LOOK_MS = 100
