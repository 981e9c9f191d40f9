/** Longest signature in a search hit, in UTF-16 units: a page of eight hits stays near 10 KB. */
export const SIGNATURE_MAX_CHARS = 1_200

/** Longest signature whatever the caller asks: beyond it the schema itself is the better answer. */
export const SIGNATURE_HARD_MAX_CHARS = 500_000

/** The part of a signature that its result may take, when the whole is cut. */
export const RESULT_SHARE = 1 / 3

/** Longest type that is written on one line. */
export const LINE_MAX_CHARS = 80

/** Deepest nesting that is printed: the printer recurses, and nobody reads further. */
export const TYPE_MAX_DEPTH = 32

/** Longest constant that is written out: beyond it, it is a document and not a choice. */
export const LITERAL_MAX_CHARS = 2_000

/** Longest default, pattern or constant in a comment. */
export const COMMENT_VALUE_MAX_CHARS = 60

/** Longest list of names in a comment on what was left out. */
export const LEFT_OUT_NAMES_MAX_CHARS = 120

/** How much of a schema is printed. */
export interface Detail {
  /** Longest description of a required and of an optional property; 0 for none. */
  readonly requiredDescriptionChars: number
  readonly optionalDescriptionChars: number
  /** Bounds, formats and defaults in comments. */
  readonly hasBounds: boolean
  /** Most literals of an enum, most members of a union. */
  readonly alternatives: number
  readonly requiredProperties: number
  readonly optionalProperties: number
  readonly depth: number
  /** Most named types after the signature. */
  readonly definitions: number
}

const FULL: Detail = {
  requiredDescriptionChars: 200,
  optionalDescriptionChars: 200,
  hasBounds: true,
  alternatives: Infinity,
  requiredProperties: Infinity,
  optionalProperties: Infinity,
  depth: TYPE_MAX_DEPTH,
  definitions: Infinity,
}

/**
 * Tried in this order until one fits. What a caller needs to call goes last: descriptions before bounds, optional before
 * required, inner before outer.
 */
export const DETAIL_STEPS: readonly Detail[] = [
  FULL,
  { ...FULL, requiredDescriptionChars: 90, optionalDescriptionChars: 90 },
  { ...FULL, requiredDescriptionChars: 90, optionalDescriptionChars: 45, alternatives: 30 },
  { ...FULL, requiredDescriptionChars: 60, optionalDescriptionChars: 0, alternatives: 20 },
  { ...FULL, requiredDescriptionChars: 0, optionalDescriptionChars: 0, alternatives: 12, depth: 6 },
  { ...FULL, requiredDescriptionChars: 0, optionalDescriptionChars: 0, alternatives: 8, depth: 3, definitions: 8 },
  {
    requiredDescriptionChars: 0,
    optionalDescriptionChars: 0,
    hasBounds: false,
    alternatives: 5,
    requiredProperties: 40,
    optionalProperties: 30,
    depth: 2,
    definitions: 4,
  },
  {
    requiredDescriptionChars: 0,
    optionalDescriptionChars: 0,
    hasBounds: false,
    alternatives: 3,
    requiredProperties: 20,
    optionalProperties: 6,
    depth: 1,
    definitions: 0,
  },
  {
    requiredDescriptionChars: 0,
    optionalDescriptionChars: 0,
    hasBounds: false,
    alternatives: 2,
    requiredProperties: 6,
    optionalProperties: 0,
    depth: 1,
    definitions: 0,
  },
]

/** A name of a type in a signature; longer ones cost more tokens than they tell. */
export const TYPE_NAME_MAX_CHARS = 40
