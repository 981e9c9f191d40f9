/**
 * Names that one program may have. The parser looks through all names of a scope for each new one, so that its time
 * grows with their square; a hand-written program has tens.
 */
export const PROGRAM_NAMES = 4_000
/**
 * Tokens of one parse without types, which take the gateway's own time, about 2 µs each. A list of 40,000 numbers has
 * them; a program by hand has thousands.
 */
export const PROGRAM_TOKENS = 100_000
/**
 * Tokens of one parse with types, those counted again that were read twice: types are read by trying, and tries inside
 * tries double at each level.
 */
export const TYPED_TOKENS = 60_000
/** Named groups in regular expressions; the parser compares each with all others. */
export const NAMED_GROUPS = 200
/** Programs inside JSON inside JSON. */
export const DECODE_DEPTH = 4
/** Objects and lists around a program in one JSON text: `tool_calls`, its item, `function`, `arguments`, and room for more. */
export const WRAPPER_DEPTH = 8
/** Objects and lists in a text that is nearly JSON: more than any call nests, and no more than the stack holds. */
export const LITERAL_DEPTH = 100
/** Arguments of a call that was sent in place of a program, as far as they are repeated. */
export const CALL_ARGUMENTS_CHARS = 400
/**
 * Longest program that is parsed once more after its edits. In a longer one the isolate alone finds what they broke: it
 * compiles the body by itself too.
 */
export const RECHECK_CHARS = 65_536
/** Longest source that is looked at for typing slips; a larger one that does not parse is reported as it is. */
export const MEND_BYTES = 65_536
/** Longest source that is looked at for typing slips inside prose: each way to cut the prose is tried with each kind of slip. */
export const PROSE_MEND_BYTES = 16_384
/** A source line in a message: as wide as most terminals. */
export const EXCERPT_WIDTH = 120
/** Message of a run's error. */
export const ERROR_MESSAGE_BYTES = 4_096
/** Blocks of fenced code in one text. */
export const FENCES_MAX = 32
/** Fences in fences, tags around thoughts: what models put around a program is not deeper. */
export const UNWRAP_DEPTH = 4
/** Lines of prose before or behind a program; more is a document. */
export const PROSE_LINES = 40
/** Searches of a program whose use is looked at once it has failed; each takes one reading of the program. */
export const SEARCHES_LOOKED_AT = 8
/** Names of results, each read once through the program's text when it has ended. */
export const RESULTS_LOOKED_AT = 8
/** Longest program whose reads of results are looked at: the names of a longer one are more than are looked for. */
export const READS_CODE_CHARS = 32_768
/** Reads of results whose field is looked for in all answers of a run, which may be megabytes. */
export const READS_LOOKED_AT = 16
/** Fields of a result that are named to a model which looked for another. */
export const FIELDS_NAMED = 12
