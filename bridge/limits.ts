/** One `before_tool_call` or `after_tool_call` handler, as in the systems that plugin authors know. */
export const HOOK_BUDGET_MS = 15_000
/** A tool call without a deadline of its own: long enough for slow APIs, short enough for a waiting person. */
export const CALL_DEADLINE_MS = 60_000
/** A tool's error as a program or model sees it: room for a reason, none for a dump. */
export const ERROR_TEXT_MAX_BYTES = 2_048
