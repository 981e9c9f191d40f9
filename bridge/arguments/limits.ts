/** Levels of arguments that are looked at; as deep as a schema may be. */
export const REPAIR_DEPTH = 32
/** Values of one call's arguments that are looked at: more than any form has, few enough to take milliseconds. */
export const REPAIR_NODES = 20_000
/** References followed from one schema; a longer chain is a loop. */
export const REFERENCE_HOPS = 16
/** Parts of `allOf` that are looked at in one schema. */
export const SCHEMA_PARTS = 16
/** Notices of one call: enough to see a pattern, short enough to read. */
export const REPAIR_NOTICES = 8
/** Problems of one call that are told; a model mends a few at a time. */
export const PROBLEMS_MAX = 16
/** Text of one field of a problem. */
export const PROBLEM_TEXT_BYTES = 200
/** Names that are compared with a misspelt one. */
export const NEAR_MISS_NAMES = 500
/** Longest name that is compared; a longer one is no slip of the pen. */
export const NEAR_MISS_LENGTH = 64
/** Letters that two names must begin with to be taken for one: shorter beginnings are chance. */
export const BEGINNING_LENGTH = 4
/** Calls inside calls and JSON text inside JSON text that are opened to find the id. */
export const FORM_DECODE_DEPTH = 3
