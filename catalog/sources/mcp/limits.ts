/** One JSON-RPC message or HTTP body: a picture of 12 MB in base64 fits, a flood does not. */
export const MESSAGE_MAX_BYTES = 16 * 1024 * 1024
/**
 * How deep a result or schema may nest: far more than any honest one does, and little enough for recursive code. A schema
 * of 300 levels still reaches the catalog, which names it in its quarantine.
 */
export const VALUE_MAX_DEPTH = 500
/** Tools of one server unless `maxTools` says otherwise; the largest published servers have some hundreds. */
export const TOOLS_MAX = 10_000
/** Pages of one `tools/list`: 10,000 tools in pages of 50. */
export const LIST_MAX_PAGES = 200
/** Entries of a page that are read in one go: some milliseconds in which nothing else happens. */
export const LISTED_AT_ONCE = 500
/** All pages of one list together, in UTF-16 units of JSON: 10,000 tools of 6 KB. */
export const LIST_MAX_LENGTH = 64 * 1024 * 1024
/** How often a list is begun that breaks off at a cursor: one that changed meanwhile is whole the second time. */
export const LIST_ATTEMPTS_MAX = 2
/** A cursor is an offset or a token; the guard against repeated ones keeps them all. */
export const CURSOR_MAX_LENGTH = 4_096
/** Faults of single tools that a status names; the rest is a number. */
export const PROBLEMS_MAX = 20
/** Tools of one list that cannot be read and are kept with their reason; who has more has one fault, made for all of them. */
export const BAD_TOOLS_MAX = 100
/** Looked for in one line of stdout that is no JSON; two threads that write at once glue a handful together. */
export const GLUED_MESSAGES_MAX = 100
/** So many times as long as taking up a list has held the thread, it is not read again: one server gets at most a twentieth of it. */
export const LIST_REST_FACTOR = 20
/** A reason or fault as an operator reads it, in UTF-16 units. */
export const REASON_MAX_LENGTH = 500
/** What a process last wrote, where its end is reported: leaves room for the report itself. */
export const LAST_WORDS_MAX_LENGTH = 300
/** Characters of what an HTTP answer says of its refusal: a sentence, not a stack trace. */
export const REFUSAL_WORDS_MAX_LENGTH = 300
/** One line of a server's stderr in the log, in UTF-16 units. */
export const STDERR_LINE_MAX_LENGTH = 2_000
/** Lines of stderr that one process may log in a minute; a server in a print loop must not fill the disk. */
export const STDERR_LINES_PER_MINUTE = 300
/** Head and tail that are kept of a line over the limit, enough to find the id of the request it answers. */
export const OVERSIZE_EDGE_BYTES = 512
/** A line of this many times the limit is no answer that is too large, it is a flood: 256 MB. */
export const ENDLESS_LINE_FACTOR = 16
/** Request ids remembered after a cancel, so that a late answer is not taken for a stray one. */
export const ABANDONED_IDS_MAX = 1_000
/** Far above what the SDK's client counts to in the life of a session, and within what a server keeps in 32 bits. */
export const PLAIN_CALL_FIRST_ID = 1_000_000_000
/** Of all other requests over a pipe: far above what a server counts its questions to, and half the way to those of calls. */
export const PIPE_FIRST_ID = 500_000_000
/** How often the stream of a request is opened again without one message between, before the request is given up. */
export const STREAM_RESUMES_MAX = 5
/** A server's own stream that held so long is opened again as if nothing had been: proxies end quiet ones after 30 s. */
export const STREAM_STOOD_MS = 10_000
/** Slowest pace for one that does not hold. */
export const STREAM_SLOWEST_MS = 60_000
/** Slowest pace for one that the server refuses: some have an error in the place of saying that they have no stream. */
export const STREAM_REFUSED_SLOWEST_MS = 10 * 60_000
/** Longest that a server keeps us from asking it again by itself; a person can have it asked at any time. */
export const RETRY_AFTER_MAX_MS = 60 * 60_000
/** How often one call is sent again to a server that says each time when it will have time. */
export const BUSY_REPEATS_MAX = 3
/** What the SDK waits before it opens a stream again, as it does by itself but for the end: when that is, is ours to say. */
export const STREAM_RETRIES = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: Number.MAX_SAFE_INTEGER,
}
/** Shorter values of environment variables (`1`, `true`, `prod`) are words, not secrets; masking them garbles logs. */
export const SECRET_MIN_LENGTH = 6

/** Metadata and tokens of an authorization server: a few KB each; signed tokens with many claims reach some tens. */
export const LOGIN_BODY_MAX_BYTES = 256 * 1024
/** A token goes out as a header with every request; common servers take headers of 8 to 16 KB. */
export const TOKEN_MAX_LENGTH = 16_384
/** A scope, an error code or an issuer, where it is shown or sent on. */
export const LOGIN_TEXT_MAX_LENGTH = 500
/** One request to an authorization server; a person waits for it. */
export const LOGIN_STEP_MS = 15_000
/** A token is renewed so long before it expires: the clocks of two machines differ by seconds, a call takes some. */
export const RENEW_AHEAD_MS = 60_000
/** Tokens that live for less than some minutes are renewed in the last quarter of their life. */
export const RENEW_AHEAD_SHARE = 0.25

/** Links of one result that are followed: each is a request more. */
export const LINKED_RESOURCES_MAX = 8

/** Waiting times, all in milliseconds. */
export interface McpTiming {
  /** From start to the first list of tools. A first `npx` run downloads a package. */
  readonly connectMs: number
  /** `server/discover` on a server that never answers unknown methods before `initialize`. */
  readonly probeMs: number
  /** One page of `tools/list`. */
  readonly listPageMs: number
  /** A call without an answer or progress. The dispatcher holds the hard deadline. */
  readonly callIdleMs: number
  /** A call that waits for a forgotten session to be opened again. */
  readonly reopenMs: number
  /** What a link in a result leads to; the result waits for it. */
  readonly linkReadMs: number
  readonly backoffFirstMs: number
  readonly backoffMaxMs: number
  /** A session that held this long starts the backoff anew. */
  readonly stableMs: number
  /** Quiet time after a `list_changed` before the list is read. */
  readonly listQuietMs: number
  /** Longest wait when `list_changed` never falls quiet. */
  readonly listPatienceMs: number
  /** Slowest pace for a server whose `list_changed` brings nothing new. */
  readonly listSlowestMs: number
  /** Between a closed stdin, SIGTERM and SIGKILL. */
  readonly exitGraceMs: number
  readonly terminateGraceMs: number
  /** Shortest pause before an event stream is opened again, whatever the server's `retry:` says. */
  readonly streamResumeMs: number
  /** Shortest pause before a call goes out again that a server was too busy for, whatever less it asks for. */
  readonly busyPauseMs: number
  /** What comes next waits so long for an HTTP server to take a notification. */
  readonly notificationMs: number
  /**
   * Between two reads of the list of an HTTP server that told of no change: one without sessions and streams may have been
   * deployed anew. Rarely, since some are started for each request.
   */
  readonly relistMs: number
  /** Between two checks of an HTTP server that reported a broken stream. */
  readonly recheckMs: number
}

export const DEFAULT_TIMING: McpTiming = {
  connectMs: 60_000,
  probeMs: 10_000,
  listPageMs: 30_000,
  callIdleMs: 60_000,
  reopenMs: 15_000,
  linkReadMs: 5_000,
  backoffFirstMs: 500,
  backoffMaxMs: 60_000,
  stableMs: 30_000,
  listQuietMs: 250,
  listPatienceMs: 2_000,
  listSlowestMs: 60_000,
  exitGraceMs: 500,
  terminateGraceMs: 2_000,
  streamResumeMs: 500,
  busyPauseMs: 250,
  notificationMs: 2_000,
  relistMs: 60 * 60_000,
  recheckMs: 30_000,
}

/** A server may be upgraded: a day later the newer handshake is tried again. */
export const VERDICT_HOLDS_MS = 24 * 60 * 60 * 1_000
/** So long after a probe over HTTP that nobody answered: the server may as well have been slow to start just then. */
export const DOUBTFUL_VERDICT_HOLDS_MS = 60 * 60 * 1_000

/** An idle connection is dropped before common servers drop it (5 s in Node), so that no call meets a closing one. */
export const IDLE_SOCKET_MS = 4_000

/** How long a stream may stay open after its answer. */
export const STREAM_END_GRACE_MS = 1_000

/** How long a server may take to hear that its session is no longer needed. */
export const GOODBYE_MS = 1_000

/** A notification that was not answered is let go: a busy server may read it late, one that hangs never. */
export const NOTIFICATION_MS = 60_000

/** How often a process group that was told to end is looked at: short beside the time that ending takes. */
export const GROUP_POLL_MS = 20

/** How the child's streams are drained after it ended: a grandchild may hold them open for ever. */
export const STDIO_DRAIN_MS = 100

/** What a server says of a step of a call: a line for a person. */
export const PROGRESS_TEXT_MAX_LENGTH = 500

/** JSON of a tool's icons, and of its `_meta`: room for a small picture in a data address, none for a document. */
export const LISTING_MAX_LENGTH = 16_384
/** Icons of one tool, in as many sizes and themes as a screen may want. */
export const ICONS_MAX = 8

/** Questions of one call; the further ones are declined. A person fills in a wizard, not a thousand forms. */
export const QUESTIONS_PER_CALL_MAX = 20

/** Pages that a server may want opened before it takes a call: a login, perhaps at two places. */
export const PAGES_PER_CALL_MAX = 5

/** Questions of one server in so much time, over all its calls: a person could not read more. */
export const QUESTIONS_PER_WINDOW_MAX = 60
export const QUESTION_WINDOW_MS = 60_000

/** JSON of a question, in UTF-16 units: a long form or a short conversation. */
export const QUESTION_MAX_LENGTH = 262_144

/** Longest that a timer can be set to: the call's own time is kept beside it. */
export const NO_TIMEOUT_MS = 2_147_483_647

/** Results of one call that may ask for input before the last; the SDK's own number. */
export const QUESTION_ROUNDS_MAX = 10

/** Things that one result may ask for: a person answers each. */
export const QUESTIONS_PER_ROUND_MAX = 10

/** Before a call is sent again whose result asks for nothing but that. */
export const STATE_ONLY_PAUSE_MS = 250

/**
 * How long a question over a connection that does not say whose it is may still be about a call that was given up: as
 * long as a call may take unless configured otherwise. A server that heeds cancellations never says that it is done, and
 * must not stay silenced for good.
 */
export const GIVEN_UP_MAY_ASK_MS = 300_000
/** Such calls that are remembered one by one; with more of them a question may be anybody's. */
export const GIVEN_UP_WORK_MAX = 1_000
