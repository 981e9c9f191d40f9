/** Longest silence of an upstream, before its first byte and between two; just under the 300 s of Node's own fetch, so that the error is ours. */
export const UPSTREAM_SILENCE_MS = 280_000

/** Attempts after the first: the client library's own default; more would hold a person up for longer than asking again. */
export const UPSTREAM_RETRIES = 2

/** Before the first attempt after an answer that failed before it began, twice as long before the next: as the client library waits. */
export const RETRY_WAIT_MS = 500

/** A `Retry-After` beyond this is handed to our client instead of being waited for: people leave after about ten seconds. */
export const RETRY_AFTER_WAIT_MAX_SECONDS = 10

/** UTF-16 units of text and arguments in one model step: far beyond any model's output window, small enough for one gateway's heap. */
export const STEP_OUTPUT_MAX_LENGTH = 16 * 1024 * 1024

/** Calls in one model step; the widest seen in practice is a few dozen. */
export const STEP_CALLS_MAX = 256

/** Of an upstream's own error text; longer ones are HTML pages or stack traces. */
export const UPSTREAM_MESSAGE_MAX_LENGTH = 500

/** Of the body of a refusal: an error is a few hundred bytes, and a page of a proxy is not read to its end. */
export const REFUSAL_MAX_BYTES = 64 * 1024

/** UTF-16 units of a message that the scripted stand-in reads; its patterns are quadratic in the worst case, 50 ms here. */
export const SCRIPTED_MESSAGE_MAX_LENGTH = 4000

/** Characters of a word in a credential header that count as secret: shorter ones are schemes such as `Bearer`. */
export const SECRET_MIN_LENGTH = 8

/** Silence of an upstream that has said why it finished, before its token counts: the answer is whole, and a person waits for it. */
export const ENDING_SILENCE_MS = 5_000

/** How long a connection may linger after `[DONE]` before it is closed instead of used again. */
export const DRAIN_MS = 1000

/** A text goes out in parts of about this many characters, so that streaming is seen to work. */
export const SCRIPTED_DELTA_LENGTH = 48

/** Search takes longer ones too, but words beyond this are rarely about the tool. */
export const SCRIPTED_QUERY_MAX_LENGTH = 300

/** Lines of one value in an answer; a stand-in's answer is for looking at, not for reading a data set. */
export const SCRIPTED_LINES_MAX = 40
