/** Largest schema that is compiled, in UTF-8 bytes of its JSON: the largest honest ones seen are around 40 KB. */
export const SCHEMA_MAX_BYTES = 65_536

/** Most subschemas that are compiled: ajv's compile time grows with them and blocks the event loop. */
export const SCHEMA_MAX_NODES = 1_000

/** The same where an `unevaluated…` keyword is used: with it ajv keeps accounts in every branch, at three times the cost. */
export const SCHEMA_MAX_NODES_UNEVALUATED = 300

/** Most subschemas for which a second function that collects all errors is compiled; above it the first error is told. */
export const SCHEMA_MAX_NODES_COLLECTED = 400

/** Deepest nesting of subschemas: ajv's compiler recurses, and at 3,000 it overflows the stack. */
export const SCHEMA_MAX_DEPTH = 32

/** Deepest nesting of plain JSON in a schema (enums, defaults): 32 subschemas need at most two levels each. */
export const SCHEMA_MAX_JSON_DEPTH = 128

/** Most `$ref`s met when all of them are unrolled, recursion counted once: stops doubling chains. */
export const SCHEMA_MAX_EXPANSIONS = 10_000

/** Most patterns that are compiled for one schema; honest schemas have a few. */
export const SCHEMA_MAX_PATTERNS = 100

/** Longest pattern that is enforced, in UTF-16 units. */
export const PATTERN_MAX_LENGTH = 1_000

/** Largest sum of repetition counts in a pattern: each repetition is unrolled into the automaton. */
export const PATTERN_MAX_REPEATS = 2_000

/** Largest automaton of a pattern, in RE2's instructions: the time for a character grows with it. */
export const PATTERN_MAX_PROGRAM = 1_000

/** Instructions of an automaton for one character that cost as much as one check (the worst measured: 60 ns each). */
export const PATTERN_STEPS_PER_UNIT = 16

/** Most schemas on one path of references: ajv compiles them inside each other, and at about 400 the stack ends. */
export const SCHEMA_MAX_REFERENCE_DEPTH = 150

/** Deepest value that is checked: compiled checks of recursive schemas recurse with the value. */
export const VALUE_MAX_DEPTH = 64

/** Most values (scalars, arrays, objects) in one checked value; the walk itself must not stall either. */
export const VALUE_MAX_NODES = 250_000

/** Checks that every value may cost, so that a large schema on a small value passes. */
export const WORK_BASE_UNITS = 100_000

/** Checks for each node of the value: an honest schema visits a node a few times. */
export const WORK_UNITS_PER_NODE = 50

/** Never more checks than this: measured, the worst schema takes about a microsecond for each. */
export const WORK_MAX_UNITS = 300_000

/** Work of collecting further errors, once a value is known to be invalid. */
export const WORK_ERRORS_UNITS = 20_000

/** Characters of a string that cost as much as one check (measured on length and format checks). */
export const CHARACTERS_PER_UNIT = 128

/** Most errors in one answer: a model mends a few at a time. */
export const ERRORS_MAX_COUNT = 32

/** Longest text in an error, in UTF-16 units. */
export const ERROR_TEXT_MAX_LENGTH = 400

/** Most entries of a list in an error's params: enough to suggest from, small enough to keep. */
export const ERROR_LIST_MAX_LENGTH = 100

/** Compiled schemas that are kept: some 17 KB each for public tools, so that all of them stay near 10 MB. */
export const COMPILED_MAX_COUNT = 512

/** Most notes on one schema. */
export const NOTES_MAX_COUNT = 16

/** Digits behind the point that a value has to fit `multipleOf` by: enough for any unit, few enough for tens of millions in cents. */
export const MULTIPLE_MAX_DIGITS = 6
