/** Of one tool, in UTF-16 units: the longest honest descriptions are some 12,000; a text past this is cut and screened so far. */
export const SCREENED_MAX_LENGTH = 64 * 1024
/** Texts of one tool: names and descriptions of parameters mostly. */
export const SCREENED_MAX_TEXTS = 1_000
/** Levels of a schema whose texts are read; a model reads no deeper either. */
export const SCREENED_MAX_DEPTH = 12
/** Tools of one list that wait and that the log names; the rest stands in the catalog. */
export const WARNED_MAX = 5
/** Findings of one tool that are told; a person acts on the first few. */
export const FINDINGS_MAX = 10
/** A finding's quote, in UTF-16 units: one line on a terminal. */
export const QUOTE_MAX_LENGTH = 120
/** A sentence is cut here: what belongs to one instruction stands nearer together. */
export const SENTENCE_MAX_TOKENS = 120
/** Words within one pair of quotation marks; a mark that is closed later was none. */
export const QUOTED_MAX_TOKENS = 40
/** Shortest run that is tried as Base64 or hexadecimal, in characters: `curl x|sh` is 12. */
export const ENCODED_MIN_LENGTH = 12
/** Runs of one text that are decoded. */
export const ENCODED_MAX_RUNS = 50
/** One run, in characters; a script of 3 KB. */
export const ENCODED_MAX_LENGTH = 4_096
/** Spaces in a row that push text out of sight; tables and code are indented less. */
export const WHITESPACE_RUN_LENGTH = 120
/** What a packed run may unpack to, in bytes; a small one can unpack to gigabytes. */
export const UNPACKED_MAX_BYTES = 16 * 1024
/** Text inside of decoded text. */
export const ENCODED_MAX_LAYERS = 3
/** Words of a tool's first statement that say what it is for. */
export const PURPOSE_MAX_TOKENS = 40
/** Parameters of a tool whose names its text may speak of without a finding. */
export const PARAMETERS_MAX = 1_000
/** New tools of a list that are screened before it is taken, where there are no more: about 15 ms, and more than most servers have. */
export const SCREENED_AT_ONCE_MAX = 30
/** Their texts together, in UTF-16 units: about 25 ms; with more of it the rest is screened between other work. */
export const SCREENED_AT_ONCE_MAX_LENGTH = 12 * 1024
/** Prompts and resources that are screened in one turn of the event loop: some milliseconds in which nothing else happens. */
export const SCREENED_IN_TURN = 5
/** Their texts together, in UTF-16 units: about 20 ms. One that is longer has a turn for itself. */
export const SCREENED_IN_TURN_MAX_LENGTH = 8 * 1024
/** Different tools of one server that are pinned at first sight; a server that makes up names must not fill the disk. */
export const PINS_PER_SERVER_MAX = 20_000
/** Prompts and resources of one server in which something was found: as many as its three lists may have. With more of them all that it offers is kept back. */
export const OFFERS_PER_SERVER_MAX = 3_000
/** Hashes of those in which nothing was found, so that they are not screened again, the oldest forgotten first: some 100 bytes each. */
export const CLEAN_OFFERS_PER_SERVER_MAX = 10_000
/** Names of tools that one tool's texts are read for; a catalog of a whole server names some hundred. */
export const MENTIONS_MAX = 200
/** Of a name that a text speaks of, in characters; no client takes a longer one for a tool's. */
export const MENTIONED_MAX_LENGTH = 128
