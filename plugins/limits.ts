/** Importing an entry file, top-level awaits included: a plugin may read files, not wait for a network. */
export const IMPORT_BUDGET_MS = 10_000
/** How long plugins wait for the imports of the others, so that of two with one id the first keeps it. */
export const IMPORT_GRACE_MS = 1_000
/** `register`: long enough to ask a local service once, short enough that a start does not seem to hang. */
export const REGISTER_BUDGET_MS = 10_000
/** One `onClose` handler: the gateway's stop waits for it. */
export const CLOSE_BUDGET_MS = 5_000
/** Longest tool name: what model providers take at most; longer names would only ever be seen shortened. */
export const TOOL_NAME_MAX_LENGTH = 128
/** Longest plugin id: it is part of every tool id, which may have 256 characters. */
export const PLUGIN_ID_MAX_LENGTH = 64
/** A manifest is a page of text; more is not a manifest. */
export const MANIFEST_MAX_BYTES = 262_144
/** Between two looks at the plugins' files: an author waits for the second that an edit takes, a disk does not notice. */
export const ENTRY_WATCH_INTERVAL_MS = 1_000
/** How long a stop waits for plugins that are still registering: enough for one at work, not for one that hangs. */
export const CLOSE_GRACE_MS = 500
/** Lines on errors that nobody caught, of one plugin in this time: a timer may throw a thousand a second. */
export const STRAY_ERRORS_SAID = 5
export const STRAY_ERRORS_MS = 10_000
