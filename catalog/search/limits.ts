/** Longest query that is read, in UTF-16 units; the longest of real agents' queries seen was 1,200. */
export const QUERY_MAX_CHARACTERS = 2_000
/** Terms of one query that are scored; past that the rarest are kept, so that a page of pasted text costs no more. */
export const QUERY_MAX_TERMS = 96
/** Steps that one query is split into. */
export const QUERY_MAX_STEPS = 8
/** Words a query may have for its unknown words to be resolved; longer ones say enough without. */
export const RESOLVE_MAX_QUERY_WORDS = 8
/** Unknown words of one query that are resolved; each costs up to 0.2 ms. */
export const RESOLVE_MAX_WORDS = 3
/** Longest word that is resolved, in characters; also bounds the segmentation of words run together. */
export const RESOLVE_MAX_CHARACTERS = 48
/** Words that the resolver may propose for one unknown word before they are verified. */
export const RESOLVE_MAX_PROPOSALS = 100

/** Hits that re-ranking looks at; past that nothing moved into the first ten in the bench. */
export const RERANK_CANDIDATES = 128
/** Matches that are ranked and counted; nobody pages further, and it bounds what `total` costs. */
export const RANKED_MAX_HITS = 1_000

/** Characters of each text of a tool that are indexed; untrusted text must not cost more than that. */
export const NAME_MAX_CHARACTERS = 256
export const TITLE_MAX_CHARACTERS = 256
export const DESCRIPTION_MAX_CHARACTERS = 4_000
export const PARAMETER_NAMES_MAX_CHARACTERS = 4_000
export const PARAMETER_TEXT_MAX_CHARACTERS = 4_000
/** Characters of one parameter's description; what it is for stands at its beginning. */
export const PARAMETER_DESCRIPTION_MAX_CHARACTERS = 300
/** Schema nodes that are visited, and how deep; the same bounds as for a schema that is enforced. */
export const SCHEMA_MAX_NODES = 1_000
export const SCHEMA_MAX_DEPTH = 12
/** Enum values of one parameter and examples of one tool that are indexed. */
export const ENUM_MAX_VALUES = 40
export const EXAMPLES_MAX_COUNT = 5
/** Words of the description whose order is kept for pairs of neighbours. */
export const SEQUENCE_MAX_WORDS = 48

/** Words whose stems are remembered; a full cache is emptied, so that odd queries cannot grow it. */
export const STEM_CACHE_MAX_WORDS = 100_000

/** Different queries that are remembered for one tenant, and tools for one query; oldest go first. */
export const LEARNED_MAX_QUERIES = 10_000
export const LEARNED_MAX_TOOLS_PER_QUERY = 8
/** Tenants with a memory; the one that was used longest ago goes first. */
export const LEARNED_MAX_TENANTS = 256
/** Longest query that is remembered, in UTF-16 units. */
export const LEARNED_QUERY_MAX_CHARACTERS = 1_200

/** Owners and areas that a note names. */
export const NOTE_MAX_OWNERS = 12
export const NOTE_MAX_AREAS = 8
/** Characters of one unbroken run of CJK text that are segmented; the segmenter takes about 1 µs a character. */
export const SEGMENT_MAX_CHARACTERS = 400
