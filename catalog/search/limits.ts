/** Longest query that is read, in UTF-16 units; the longest of real agents' queries seen was 1,200. */
export const QUERY_MAX_CHARACTERS = 2_000
/** Terms of one query that are scored; past that the rarest are kept, so that a page of pasted text costs no more. */
export const QUERY_MAX_TERMS = 96
/** Steps that one query is split into. */
export const QUERY_MAX_STEPS = 8
/** Words a query may have for its unknown words to be resolved; longer ones say enough without. */
export const RESOLVE_MAX_QUERY_WORDS = 8
/** Unknown words of one query that are resolved; each costs up to 0.3 ms. */
export const RESOLVE_MAX_WORDS = 2
/** Shortest and longest word that is resolved or proposed; below, every word is near every other. */
export const RESOLVE_MIN_CHARACTERS = 3
export const RESOLVE_MAX_CHARACTERS = 32
/** Words that may stand for one unknown word after they were verified. */
export const RESOLVE_MAX_ALTERNATIVES = 4
/** Tools that hold a word are looked through for one of the view up to this many; past that the view has one. */
export const HELD_MAX_CHECKS = 256
/** A letter triple that more than this share of the words hold is not asked for, unless it is among so many rarest. */
export const RESOLVE_TRIPLE_MAX_SHARE = 0.01
/** 4 miss a slip in a hundred of short words; 8 find no more and take half as long again. */
export const RESOLVE_MIN_TRIPLES = 5
/** Words that the resolver may propose for one unknown word before they are verified. */
export const RESOLVE_MAX_PROPOSALS = 100

/** Hits that re-ranking looks at; past that nothing moved into the first ten in the bench. */
export const RERANK_CANDIDATES = 100
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

/** Different queries that are remembered for one tenant, the tools for one query, and queries of all tenants together. */
export const LEARNED_MAX_QUERIES = 10_000
export const LEARNED_MAX_TOOLS_PER_QUERY = 8
/** About 45 MB; the tenant that asked longest ago is forgotten first. */
export const LEARNED_MAX_QUERIES_IN_ALL = 50_000
/** Past queries that one search learns from. */
export const LEARNED_NEIGHBOURS = 12
/** Longest query that is remembered, in UTF-16 units. */
export const LEARNED_QUERY_MAX_CHARACTERS = 1_200

/** Owners and areas that a note names. */
export const NOTE_MAX_OWNERS = 12
export const NOTE_MAX_AREAS = 8
/** Characters of one unbroken run of CJK text that are segmented; the segmenter takes about 1 µs a character. */
export const SEGMENT_MAX_CHARACTERS = 400

/** Words the resolver may hold beyond twice the living vocabulary before it is made anew. */
export const RESOLVER_MAX_STALE_WORDS = 20_000
/** Longest query, in words, that may be a name with a slip in it. */
export const NEAR_NAME_MAX_WORDS = 10
/** Hits on the first page, where one stranger's tools are capped. */
export const FIRST_PAGE_HITS = 10
/** Copies of one tool, by name and description, on the first page: whoever wants another finds that there are some. */
export const FIRST_PAGE_COPIES = 2
/** Hits that the first page is chosen from so that they are not all of a kind; a later one is never so good. */
export const VARIED_CANDIDATES = 30
/** Reasons that an explained hit gives. */
export const EXPLAIN_MAX_PARTS = 16
/** Hits that suggestions for a mistyped id are chosen from, and the longest selector that is looked at. */
export const SUGGEST_CANDIDATES = 32
export const SUGGEST_MAX_CHARACTERS = 256
/** Tools that may hold a synonym however small the catalog is; in a small one every word is held by a large share. */
export const SYNONYM_FREE_HOLDERS = 64
/** Words of a text from which on its variety is judged; a short one repeats by chance. */
export const VARIETY_MIN_WORDS = 24
/** Words at the beginning of a description, where it says what the tool is for. */
export const OPENING_MAX_WORDS = 20
/** Words that a name may have unsuspected; of 10,000 public tools two have more. */
export const NAME_USUAL_MAX_WORDS = 14
/** Tools of a view whose names are read for a note on what it holds; about 4 µs a name the first time. */
export const HOLDINGS_SAMPLED_TOOLS = 100
