/** A hit's description: two or three sentences. */
export const HIT_DESCRIPTION_LENGTH = 240

/** A title is a label beside the name; servers send whole sentences. */
export const TITLE_MAX_LENGTH = 120

/** The type of a hit's result: enough to choose the fields that one wants of it. */
export const HIT_OUTPUT_MAX_LENGTH = 400

/** Tools whose types in hits are kept; 1.6 KB each at most. */
export const HIT_TYPES_KEPT = 1_024

/** Servers that a note names as not ready, of each kind. */
export const PENDING_NAMES_MAX = 12

/** A description's JSON, and one part of a schema: large enough for nearly every schema, small enough for a model's window. */
export const DESCRIPTION_MAX_BYTES = 12_288

/** A signature that tells nothing but the names of the required arguments takes about that many UTF-16 units. */
export const SIGNATURE_MIN_CHARS = 100

/** Changes of a schema that are told, how far in they are looked for, and the UTF-16 units of a type in one. */
export const CHANGES_MAX = 8
export const CHANGE_DEPTH_MAX = 4
export const CHANGE_TYPE_LENGTH = 80

/** Pointers in one answer: enough to go on by, too few to crowd out the rest. */
export const SCHEMA_PARTS_MAX = 200

/** Longest id that is registered or looked up, in UTF-16 units: two names of 64 with room for what is percent-encoded. */
export const TOOL_ID_MAX_LENGTH = 256

/** The longest function name that the OpenAI API takes. */
export const SAFE_NAME_MAX_LENGTH = 64

/** Hexadecimal digits that tell apart safe names whose plain form is cut: 32 bits, for catalogs of thousands. */
export const SAFE_NAME_HASH_LENGTH = 8

/** Suggestions for an unknown id: enough to recover from a slip, too few to browse by. */
export const SUGGESTION_COUNT = 3

/** Of background work in one go, in milliseconds: whoever waits for the thread meanwhile hardly notices. */
export const WORK_SLICE_MS = 10

/** Steps of background work that are done at once however long they take: a few tools are there as soon as they are given. */
export const WORK_AT_ONCE_STEPS = 16
