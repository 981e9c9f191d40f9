/** A body of a direct route: a program of 256 KiB as JSON text, with room for its escapes. */
export const BODY_MAX_BYTES = 2 * 1024 * 1024

/** By then a request has come whole, from its first byte on: 20 MB over a slow line. Its answer may take as long as it wants. */
export const REQUEST_ARRIVAL_MS = 300_000

/** A tool id of 256 characters, percent-encoded. */
export const PATH_PART_MAX_LENGTH = 1_024

/** A description's signature: whole for all but the largest schemas. */
export const FULL_SIGNATURE_MAX_LENGTH = 8_000
