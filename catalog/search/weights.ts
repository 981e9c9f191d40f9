import type { Field } from './index/tool-texts.ts'

/**
 * Everything in the ranking that is a matter of degree. What each piece is worth is measured in catalog/README.md by
 * switching it off. A value stays only while sets of queries that had no say in it do not prefer another: the bench's
 * `--leave-out` lowers and raises each, lets all sets but one choose, and asks the one left out.
 */
export interface SearchWeights {
  /** How much one occurrence in a field counts. */
  readonly field: Readonly<Record<Field, number>>
  /** How far a long field is discounted: 0 not at all, 1 in full. */
  readonly lengthNorm: Readonly<Record<Field, number>>
  /** Words of a field at which its length neither helps nor hurts. */
  readonly pivotWords: Readonly<Record<Field, number>>
  /** Occurrences of a word in one field that count. */
  readonly repeatsMax: number
  /** A text with fewer different words than this share of all is discounted in proportion. */
  readonly varietyMin: number
  /** BM25's k1: the lower, the sooner more occurrences add nothing. */
  readonly saturation: number
  /** A word of the lexicon that stands for one of the query, as a share of that one. */
  readonly synonym: number
  /** A synonym that more than this share of the tools hold is left out: it says nothing and costs most. */
  readonly synonymMaxShare: number
  /** Two neighbours of the query written as one word, as a share of a word. */
  readonly joined: number
  /** Quoted text, addresses and paths, as a share of a word. */
  readonly literal: number
  /** Words of a sentence that states something instead of asking, as a share. */
  readonly statement: number
  /** Of several steps: share of the score that is the best step's alone; the rest is all steps' sum. */
  readonly bestStep: number
  /** How far the best tool for each step is lifted towards the best of all. */
  readonly stepTop: number
  /** How far a hit of the first page is discounted whose words of the query are all held by hits before it. */
  readonly alreadyCovered: number
  /** What a word still counts for each hit before that holds it, as a share. */
  readonly coveredAgain: number
  /** Gain of a tool that does what is asked in kind (reads, creates, deletes …), and loss of one that does not. */
  readonly actionAgrees: number
  readonly actionConflicts: number
  /** Neighbours in the query that are neighbours in the name, or in the description, times the rarer one's rarity. */
  readonly namePair: number
  readonly descriptionPair: number
  /** Gain by the share of the name, of the description's opening, and of the query that the other side holds. */
  readonly nameCovered: number
  readonly descriptionCovered: number
  readonly queryCovered: number
  /** Gain of a tool that was called after the same query, as a share of the best score. */
  readonly learned: number
  /** How much less a merely like query counts where the best tool holds all that is asked by its own words. */
  readonly learnedLessIfHeld: number
  /** Share of the gain that other tools of the same owner have, as far as they fit the query themselves. */
  readonly learnedByOwner: number
  /** Likeness (cosine) from which on a past query counts. */
  readonly learnedFloor: number
  /** How much a verb that fits any tool (get, run, create) proves, as a share of a word. */
  readonly genericVerbEvidence: number
  /** Rare words that are proof enough that a tool is what was asked for, however long the query is. */
  readonly proofWords: number
  /** Share of the proof below which hits are weak, and below which there are none. */
  readonly weakBelow: number
  readonly abstainBelow: number
  /** Share of the places so far that one stranger's tools may have, where others are nearly as good by this ratio. */
  readonly ownerShare: number
  readonly ownerShareRatio: number
}

export const WEIGHTS: SearchWeights = {
  // A name says what a tool does, an owner where; parameter texts are long and loose. Flat around these values.
  field: { name: 2, owner: 2, title: 1.5, description: 1.5, parameterNames: 0.8, parameterTexts: 0.3 },
  lengthNorm: { name: 0.6, owner: 0.4, title: 0.4, description: 0.5, parameterNames: 0.8, parameterTexts: 0.4 },
  // Near the means over 10,000 public tools. Constants, not the catalog's own means: a tool's entry then depends on
  // nothing but the tool, so adding and removing is exact and no one moves another's score by long texts.
  pivotWords: { name: 3, owner: 2, title: 3, description: 16, parameterNames: 6, parameterTexts: 30 },
  // 1 loses 0.8 points, 9 gains nothing and helps whoever repeats.
  repeatsMax: 3,
  // Nobody's honest description is below it; against "email email email".
  varietyMin: 0.4,
  // 0.9 and 1.6 lose 0.2 points.
  saturation: 1.2,
  // 0.3 loses 0.1 points, 0.5 as much; as a sum instead of the best of a word's terms it would lose 2.
  synonym: 0.4,
  // The cheapest share without a loss: the common synonyms are the long lists.
  synonymMaxShare: 0.075,
  joined: 0.5,
  // 0 would lose 0.7: a quoted word may be the very one.
  literal: 0.4,
  // 0.5 and below start to lose in sets that give the reason before the request.
  statement: 0.7,
  bestStep: 0.5,
  // 0.4 lifts too much since the page is varied.
  stepTop: 0.2,
  alreadyCovered: 0.2,
  coveredAgain: 0.3,
  // 0.3 loses: many requests name no verb or another one.
  actionAgrees: 0.1,
  actionConflicts: 0.15,
  namePair: 0.4,
  descriptionPair: 0.3,
  nameCovered: 0.25,
  descriptionCovered: 0.2,
  queryCovered: 0.4,
  // The same query again doubles the best score.
  learned: 1,
  learnedLessIfHeld: 1,
  learnedByOwner: 0.35,
  // 0.15 gains 0.6 points more on average, but costs sets whose tools the log does not know.
  learnedFloor: 0.2,
  genericVerbEvidence: 0.15,
  // Chosen so that 1 right answer in 300 is lost, while two of three requests for what a view lacks are at least weak.
  proofWords: 4,
  weakBelow: 0.27,
  abstainBelow: 0.06,
  // Six of ten, two of three: a bound on strangers, not a gain.
  ownerShare: 0.6,
  ownerShareRatio: 0.92,
}
