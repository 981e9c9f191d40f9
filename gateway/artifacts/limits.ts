/** The first part that stands in the answer in place of the whole. */
export const PREVIEW_LENGTH = 2_000

/** How often the ages of artifacts are looked at; they are kept for days. */
export const ARTIFACTS_LOOK_MS = 60 * 60_000
