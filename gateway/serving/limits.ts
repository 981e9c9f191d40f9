/** Longest wait for turns and tools to end after a signal; what is left is cut off. */
export const STOP_BUDGET_MS = 10_000

/** Signals this soon after the first are the same keystroke, passed on; a person who presses twice takes longer. */
export const STOP_ECHO_MS = 500

/** How often servers are looked at that refuse a secret; a token is then renewed within seconds. */
export const SECRET_LOOK_MS = 2_000

/** Between two attempts at a secret that is refused: short, as a rotation takes its moment, and long for one that is wrong. */
export const SECRET_RENEWAL_FIRST_MS = 5_000
export const SECRET_RENEWAL_MAX_MS = 600_000

/** Plugins that are slower than this to register are still "connecting" in the banner. */
export const PLUGINS_WAIT_MS = 5_000

/** A gateway that another program is starting listens well within this, on a busy machine too. */
export const FIND_BUDGET_MS = 30_000

/** How often such a gateway is looked for. */
export const FIND_POLL_MS = 100

/** What was asked for before stdin ended may still be answered; a client that waits for our end gives us two seconds. */
export const DRAIN_MS = 1_000
