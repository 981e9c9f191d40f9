/** One answer of the model, from asking to its last word: a person has allowed it, and the tool's call waits. */
export const SAMPLE_WRITE_MS = 120_000
/** Characters that a token stands for at the most; an upstream that knows no bound is cut off there. */
export const CHARS_PER_TOKEN_MAX = 16
