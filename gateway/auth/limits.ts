/** Wrong tokens that an address may send at once: a bot that was set up wrongly and a person who mistypes stay below. */
export const FAILURES_AT_ONCE = 20

/** One more after each of these: 29,000 guesses a day, of which even a word list of six characters is not tried out. */
export const FAILURE_EVERY_MS = 3_000

/** Addresses that are remembered: 2 MB at most. Beyond it the one that failed longest ago is forgotten. */
export const ADDRESSES_MAX = 10_000

/** Longest header that names a session, channel, sender or agent: ids of chat systems stay far below. */
export const CALLER_NAME_MAX_LENGTH = 256
