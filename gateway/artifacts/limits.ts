/** The first part that stands in the answer in place of the whole. */
export const PREVIEW_LENGTH = 2_000
