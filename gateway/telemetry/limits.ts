/** A log over this size is set aside at the next start; one is kept. */
export const LOG_FILE_MAX_BYTES = 16 * 1024 * 1024
