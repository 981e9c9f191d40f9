/** Clients and proxies commonly give up on a silent request after 30 s or 60 s. */
export const HOLD_MS_DEFAULT = 25_000
export const HOLD_MS_MAX = 3_600_000

/** A person who was just asked answers within two minutes, or has left. */
export const TIMEOUT_MS_DEFAULT = 120_000
export const TIMEOUT_MS_MIN = 100
export const TIMEOUT_MS_MAX = 86_400_000

/** A day: whoever was away yesterday still finds it. */
export const PARKED_TIMEOUT_MS_DEFAULT = 86_400_000
export const PARKED_TIMEOUT_MS_MAX = 30 * 86_400_000

/** Twice what was tried as no load; a row has a few KB. Nobody reads that many, but a flood of one agent ends somewhere. */
export const PENDING_MAX_DEFAULT = 50_000
/** Of one token: what runs wild with it leaves room for the others of its agent. */
export const PENDING_PER_TOKEN_MAX_DEFAULT = 20_000
export const PENDING_MAX_MAX = 1_000_000

/** A quarter: whoever asks what was decided asks within it, and the receipts of decisions stay for good. */
export const KEEP_DAYS_DEFAULT = 90
export const KEEP_DAYS_MAX = 3_650

/** Ended approvals that are dropped in one step: a few milliseconds in which nothing else happens. */
export const DROP_BATCH_ROWS = 500

/** Messages that wait for one receiver: two days of one a quarter of a minute, 40 MB of ordinary ones. */
export const WEBHOOK_BACKLOG_DEFAULT = 10_000
export const WEBHOOK_BACKLOG_MIN = 10
export const WEBHOOK_BACKLOG_MAX = 1_000_000

/** Longest wait of one timer; `setTimeout` overflows at 24.8 days, and a clock that was set shows within the hour. */
export const TIMER_MS_MAX = 3_600_000

/** After the store refused: it may be locked for a moment only. */
export const STORE_RETRY_MS = 1_000

/** Approvals that end in one step: about 15 ms, so that 10,000 parked ones that expire together hold nobody up. */
export const END_BATCH_ROWS = 100

/** 64 random bits: no secret, but typed by hand at times. */
export const ID_BYTES = 8

/** Answers to questions that their tools have not come for: they come within the same second, or never. */
export const GIVEN_ANSWERS_MAX = 1_000

/** So long such an answer is kept, here as in the store: half a minute even on a machine that hardly moves; it may hold a password. */
export const GIVEN_ANSWER_MS = 30_000

/** Between two looks at what is waited for here and another gateway may decide: nobody notices half a second after a click. */
export const HELD_LOOK_MS = 500

/** Approvals that are read in one step: a few milliseconds, so that thousands that are waited for hold nobody up. */
export const HELD_BATCH_ROWS = 500

/** What a killed gateway held counts as left so much later, and an answer that nobody came for goes; renewed thrice in that time. */
export const HELD_LEASE_MS = 30_000

/** By which the rows' own time goes first: only where the clock was set back is anything left to end then. */
export const HELD_OVERTIME_MS = 250

/** JSON of an answer to a form. */
export const ANSWER_MAX_CHARS = 65_536

/** A reason that a person gives. */
export const REASON_MAX_CHARS = 512

/** What is shown of an input: a person reads it, and a webhook carries it. */
export const INPUT_MAX_CHARS = 16_384

/** JSON of a grant's argument pattern. */
export const PATTERN_MAX_CHARS = 8_192

/** Decisions of one request. */
export const DECISIONS_MAX = 100

/** A receiver answers before it works; one that does not within this is down. */
export const WEBHOOK_ATTEMPT_MS = 15_000

/** Attempts of one round after its first, with growing waits between them: a receiver that restarts is met again. */
export const WEBHOOK_RETRIES = 3
export const WEBHOOK_RETRY_MS = 500
export const WEBHOOK_RETRY_MS_MAX = 10_000

/** Waits between rounds, each lengthened by up to a half by chance; after the last one, 2 days in all, it is given up. */
export const WEBHOOK_ROUND_MS = [60_000, 300_000, 1_800_000, 7_200_000, 21_600_000, 43_200_000, 86_400_000] as const

/** What is read of a receiver's answer: nothing in it matters. */
export const WEBHOOK_ANSWER_BYTES = 16_384

/** Messages of one address that are read at a time. */
export const WEBHOOK_BATCH_ROWS = 20
