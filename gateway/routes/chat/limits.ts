/** Largest request body: long histories with images; the figure of the systems that clients come from. */
export const CHAT_BODY_MAX_BYTES = 20 * 1024 * 1024

/** Between two comments on a silent stream: proxies commonly cut a connection after 30 or 60 s without a byte. */
export const HEARTBEAT_MS = 15_000

/** How long a stream waits for its first event before its head goes out: until then an error still has its own status. */
export const HEAD_DELAY_MS = 10_000

/** Tools of one request: sixteen times what OpenAI takes; each is analysed for search, 0.1 ms, while other callers wait. */
export const CLIENT_TOOLS_MAX = 2_048

/** Of a session id, whether by header or by `user`. */
export const SESSION_ID_MAX_LENGTH = 256

/** Problems of one list that are looked for: the first is told, and a body of 20 MB has room for millions. */
export const LIST_PROBLEMS_MAX = 32
