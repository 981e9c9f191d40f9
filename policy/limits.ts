/** Characters of the piece of a pattern that it is looked up by: three are shared by too many ids, five are longer than many words. */
export const GRAM_CHARS = 4

/** Bits of the filter before that look-up for each pattern, as a power of two: about one piece in thirty passes in vain. */
export const FILTER_POWER_ROOM = 5

/** Bits of the whole filter at most, as a power of two: 32 KB, which a processor keeps near. */
export const FILTER_POWER_MAX = 18

/** Compiled policies of callers that are kept, the least recently asked goes first: senders and `toolsAllow` lists come from outside. */
export const POLICIES_MAX_COUNT = 256

/** Values of an enumerated argument that are tried against each rule; a longer enumeration is shown whole. */
export const ENUM_VALUES_MAX = 256
