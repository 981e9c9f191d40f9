/** Characters of the piece of a pattern that it is looked up by: three are shared by too many ids, five are longer than many words. */
export const GRAM_CHARS = 4

/** Bits of the filter before that look-up for each pattern, as a power of two: about one piece in thirty passes in vain. */
export const FILTER_POWER_ROOM = 5

/** Bits of the whole filter at most, as a power of two: 32 KB, which a processor keeps near. */
export const FILTER_POWER_MAX = 18

/**
 * Policies of callers that are kept with their decisions and views, the least recently asked goes first: agents times
 * channels times senders. Each takes about a megabyte where there are ten thousand tools.
 */
export const POLICIES_MAX_COUNT = 128

/** The same of policies that a request's own list is part of: anybody can send as many different ones as he likes. */
export const PASSING_POLICIES_MAX_COUNT = 16

/** Values of an enumerated argument that are tried against each rule; a longer enumeration is shown whole. */
export const ENUM_VALUES_MAX = 256

/** Values of one call's arguments that are looked through for a rule; with more it counts as not decided. Some milliseconds. */
export const RULE_VALUES_MAX = 20_000

/** References of a rule's schema that are followed one into the other; a rule has one or two, a circle has no end. */
export const RULE_REFERENCES_MAX = 8

/** Different keys of one call's arguments that are compared with the patterns of a rule; each takes up to 50 µs a pattern. */
export const RULE_KEYS_MAX = 500
