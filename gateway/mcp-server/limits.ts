/** A body of `/mcp`: arguments of one call as large as the SDK's own clients and servers take. */
export const MCP_BODY_MAX_BYTES = 4 * 1024 * 1024
/** Sessions of older clients in all: each holds a protocol object of about 10 KB. */
export const SESSIONS_MAX = 1_000
/** Sessions of one token: one client that forgets its own does not take the room of all others. */
export const SESSIONS_PER_TOKEN_MAX = 200
/** Without a request and without an open stream for so long, a session is over; a client then opens another one. */
export const SESSION_IDLE_MS = 30 * 60_000
/** How often idle sessions are looked for; a minute more or less does not matter. */
export const SESSION_LOOK_MS = 60_000
/** Open `subscriptions/listen` streams of one agent. */
export const SUBSCRIPTIONS_MAX = 1_000
/** Tools on one page of a direct list: a few hundred kilobytes. */
export const LIST_PAGE_TOOLS = 200
/** Longest cursor that is looked at: a tool id, encoded. */
export const CURSOR_MAX_LENGTH = 2_048
/** Instructions are put before every conversation of the client. */
export const INSTRUCTIONS_MAX_BYTES = 1_024
/** A list of tools may be kept so long by a client that does not listen to its changes: a conversation's next turn sees them. */
export const LIST_TTL_MS = 10_000
/** The functions of `code` and `tools` are the same whatever tools there are; only the mode changes them. */
export const FUNCTIONS_TTL_MS = 60_000
/** What the server is does not change while the gateway runs, but for its mode. */
export const DISCOVER_TTL_MS = 300_000
/** Changes of the catalog within this time are told once: a server that changes its tools every 10 ms is no storm for clients. */
export const CHANGE_QUIET_MS = 300
/** Steps of progress come at most this often; the newest one of those between is sent. */
export const PROGRESS_INTERVAL_MS = 50
/** An open stream shows that it lives this often: proxies close what is silent for a minute. */
export const KEEP_ALIVE_MS = 15_000
/** Clients whose last searches are remembered: each keeps some kilobytes of queries and ids. */
export const SEARCH_MEMORIES_MAX = 500
/** Calls that wait for the next request of their client; each holds its arguments and in the end its result. */
export const HELD_CALLS_MAX = 500
/** So long after a client was told that its call waits it may come back for it; then it is made anew. */
export const HELD_CALL_MS = 24 * 3_600_000
/** Between two looks whether another gateway has begun to write to this one's store: so long its first parked call may be missed. */
export const SHARED_LOOK_MS = 250
/** Ids of what a call was parked as, in the store. */
export const PARKED_CALL_MAX_BYTES = 1_024
/** How often it is looked whether what was parked has ended: short beside a person's decision. */
export const END_POLL_MS = 200
/** Times that one call may ask its client anything: as many as a program with an approval at each step. */
export const QUESTION_ROUNDS_MAX = 64
/** Answers to one question: a person who mistyped twice is asked once more. */
export const QUESTION_TRIES_MAX = 3
/** A client's own words on why it gives no answer, as a server is told them: a line. */
export const REFUSAL_MAX_LENGTH = 300
/** The longest that a client's person is waited for; the approval itself is over sooner. */
export const QUESTION_MS = 24 * 3_600_000
/** What clients say of themselves that was let through and is remembered: far more kinds of clients than use one gateway. */
export const ENVELOPES_MAX = 256
/** Longest of them, in characters: the SDK's own client needs 200; a longer one is looked at anew each time. */
export const ENVELOPE_MAX_LENGTH = 4_096
/** Sets of headers of one session's client that are remembered: one, or a few. */
export const MANNERS_MAX = 10
/** So long the headers of a stream wait for its first message: one packet in the place of two for a quick call. */
export const HEADERS_ALONE_MS = 50
/** How often the bridge of a client that asks for nothing looks whether its gateway is back: one look at a lock. */
export const RUNNING_POLL_MS = 1_000
/** A name or version that a client gives of itself, as far as it is kept in the id of its session, in UTF-16 units. */
export const CLIENT_WORD_MAX_LENGTH = 60
/** Ids of sessions that were opened again, so that they are not once they have ended; the oldest are forgotten. */
export const OPENED_AGAIN_MAX = 10_000
/** How far an answer on stdio stays behind a step of progress: a client has read the step by then, also on a busy machine. */
export const PROGRESS_GAP_MS = 5
