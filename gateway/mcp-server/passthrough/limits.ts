/** Sessions that are passed through in all: each is one at its server too, and with a stdio server a process. */
export const PASSED_SESSIONS_MAX = 200
/** Sessions of one token: one client that forgets its own does not take the room of all others. */
export const PASSED_SESSIONS_PER_TOKEN_MAX = 32
/** Without a request and without an open stream for so long, a session is over at the server too. */
export const PASSED_SESSION_IDLE_MS = 30 * 60_000
/** How often idle sessions and servers that left the configuration are looked for. */
export const PASSED_LOOK_MS = 30_000
/** How long a server may take to hear that a session is over. */
export const PASSED_GOODBYE_MS = 2_000
/** Requests of one token that wait for a server or stream from it: a client has a few of each in its sessions. */
export const PASSED_EXCHANGES_PER_TOKEN_MAX = 256
/** Calls of one session under way: they go on when their client has left, and so must be counted by themselves. */
export const PASSED_CALLS_PER_SESSION_MAX = 64
/** Event streams of one answer that a server cut and that are taken up again, without one message between. */
export const PASSED_RESUMES_MAX = 5
/** Shortest pause before that, whatever the server's `retry:` says. */
export const PASSED_RESUME_MS = 250
/** Until a server with one stream a session has seen that the earlier one is closed. */
export const PASSED_STREAM_CLOSE_MS = 250
/** Longest such pause: a server that asks for more has lost the answer. */
export const PASSED_RESUME_MAX_MS = 30_000
/** An open stream shows that it lives this often: proxies close what is silent for a minute. */
export const PASSED_KEEP_ALIVE_MS = 15_000
/** A server's own words in an error of ours, in UTF-16 units. */
export const PASSED_REASON_MAX_LENGTH = 300
/** One `Mcp-*` header that is passed on: a name or a short argument, encoded. */
export const PASSED_HEADER_MAX_LENGTH = 8_192
/** A process that serves requests without sessions and has had none for so long is ended. */
export const PASSED_PROCESS_IDLE_MS = 5 * 60_000
/** What a server said over a pipe, which cannot be told to wait, and a client has not taken yet. */
export const PIPE_BACKLOG_MAX_BYTES = 32 * 1024 * 1024
/** What a server tells a session that has no stream open: held until one opens, the oldest given up first. */
export const PIPE_HELD_MESSAGES_MAX = 100
