/** Model steps of one turn: three times what long real tasks need; a model that loops ends within a minute or two. */
export const TURN_STEPS_MAX = 24

/** Calls of one model step that run side by side: enough for a fan-out, few enough for one caller not to take every worker. */
export const STEP_CALLS_IN_FLIGHT = 8

/** The same call, letter for letter, failing this often in a turn is not run again: trying once more after a hiccup is fair. */
export const SAME_FAILURES_MAX = 3

/** Of one turn's hidden messages: a long turn's results, not a data export. */
export const HIDDEN_MESSAGES_MAX_BYTES = 8 * 1024 * 1024
