/** One handler of a hook, as in the systems that plugin authors know. */
export const HOOK_BUDGET_MS = 15_000
/** Why a hook refused: a sentence or two for a model. */
export const BLOCK_REASON_MAX_LENGTH = 512
/** A line of a list that a person decides from. */
export const APPROVAL_TITLE_MAX_LENGTH = 80
/** What fits a message in any chat, beside the arguments. */
export const APPROVAL_DESCRIPTION_MAX_LENGTH = 512
/** What a hook may ask at most for a held call; longer waits are for parked ones. */
export const APPROVAL_TIMEOUT_MAX_MS = 600_000
/**
 * Hard bound on one call, progress or not. Sources have shorter ones for silence (60 s in MCP); a program's wall clock
 * is shorter than either.
 */
export const CALL_DEADLINE_MS = 300_000
/** A tool's error as a program or model sees it: room for a reason, none for a dump. */
export const ERROR_TEXT_MAX_BYTES = 2_048
/** Quiet time before a run is parked: calls that a program makes side by side reach the gateway within milliseconds. */
export const PARK_SETTLE_MS = 50
/** Longest search query that is looked at: several times what a person or model writes. */
export const SEARCH_QUERY_MAX_LENGTH = 2_000
/** Queries in one search request; as many as the reference system takes. */
export const SEARCH_QUERIES_MAX = 16
/** Ids in one describe request. */
export const DESCRIBE_IDS_MAX = 16
/** A function's description in `direct` mode; the OpenAI API refuses a request with a longer one. */
export const FUNCTION_DESCRIPTION_MAX_LENGTH = 1_024
/** Arguments that a hint repeats, so that the model need only copy it; longer ones it has itself. */
export const HINT_ARGUMENTS_MAX_LENGTH = 1_000
/** Parts of a schema that are gathered into plain parameters, and how far in: an honest one has a handful. */
export const PORTABLE_PARTS_MAX = 256
export const PORTABLE_DEPTH_MAX = 8

/** Levels of a schema whose keywords are looked at for a provider; what people write has a dozen. */
export const PORTABLE_KEYWORDS_DEPTH_MAX = 64
/** A search, describe or call answer in `tools` and `direct` mode: about four thousand tokens at most. */
export const MODEL_TEXT_MAX_BYTES = 16_384
/** What a program may return to the model; as much as fits a step without crowding out the conversation. */
export const RUN_TEXT_MAX_BYTES = 65_536
/** Key of a value that programs keep for later programs. */
export const STORE_KEY_MAX_LENGTH = 128
/** Operations and answers of one run that are kept for a replay, in UTF-16 units of their JSON. */
export const JOURNAL_MAX_BYTES = 4 * 1024 * 1024
/** Parts of one result that are kept as artifacts, a file each; a gallery has some dozens, a flood of tiny ones has thousands. */
export const KEPT_BLOCKS_MAX = 100
/** One part of an artifact, unless the reader asks for another size: a step's worth of text. */
export const ARTIFACT_PART_BYTES = 65_536
/** The largest part: with its escapes it still fits the bound on one result into an isolate. */
export const ARTIFACT_PART_MAX_BYTES = 262_144

/** Of what an approval is headed with, as its contract says. */
export const QUESTION_TITLE_MAX_LENGTH = 80

/** Notices of one kind that are told of one run: a loop's calls have a repair each, of which the first few teach all. */
export const NOTICES_OF_A_KIND = 4
