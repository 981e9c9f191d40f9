import type { Field } from './index/tool-texts.ts'

/** Everything in the ranking that is a matter of degree. What each is worth is measured in catalog/README.md. */
export interface SearchWeights {
  /** How much one occurrence in a field counts. */
  readonly field: Readonly<Record<Field, number>>
  /** How far a long field is discounted: 0 not at all, 1 in full. */
  readonly lengthNorm: Readonly<Record<Field, number>>
  /** Words of a field at which its length neither helps nor hurts. */
  readonly pivotWords: Readonly<Record<Field, number>>
  /** Occurrences of a word in one field that count. */
  readonly repeatsMax: number
  /** A description with fewer different words than this share is discounted in proportion. */
  readonly varietyMin: number
  /** BM25's k1: the lower, the sooner more occurrences add nothing. */
  readonly saturation: number
  readonly synonym: number
  /** A synonym that more than this share of the tools hold is left out: it says nothing and costs most. */
  readonly synonymMaxShare: number
  readonly joined: number
  readonly literal: number
  readonly statement: number
  readonly bestStep: number
  readonly stepTop: number
  readonly actionAgrees: number
  readonly actionConflicts: number
  readonly namePair: number
  readonly descriptionPair: number
  readonly nameCovered: number
  readonly descriptionCovered: number
  readonly queryCovered: number
  /** Gain of a tool that was called after much the same query. */
  readonly learned: number
  readonly learnedFloor: number
  readonly genericVerbEvidence: number
  readonly proofWords: number
  readonly weakBelow: number
  readonly abstainBelow: number
  /** Share of the places so far that one stranger's tools may have, where others are nearly as good by this ratio. */
  readonly ownerShare: number
  readonly ownerShareRatio: number
}

export const WEIGHTS: SearchWeights = {
  // A name says what a tool does, an owner where; parameter texts are long and loose. Flat around these values.
  field: { name: 2, owner: 1.5, title: 1.5, description: 1.5, parameterNames: 0.8, parameterTexts: 0.3 },
  // Long lists of parameters are no reason to rank lower than their words deserve, but their length says little.
  lengthNorm: { name: 0.6, owner: 0.4, title: 0.4, description: 0.5, parameterNames: 0.8, parameterTexts: 0.4 },
  // Means over 10,000 public tools, rounded. Constants, not the catalog's own means: a tool's entry then depends on
  // nothing but the tool, so adding and removing is exact and no one can move another's score by long texts.
  pivotWords: { name: 3, owner: 2, title: 3, description: 16, parameterNames: 6, parameterTexts: 30 },
  repeatsMax: 3,
  varietyMin: 0.4,
  saturation: 1.2,
  synonym: 0.4,
  synonymMaxShare: 0.075,
  joined: 0.5,
  literal: 0.4,
  statement: 0.7,
  bestStep: 0.5,
  stepTop: 0.4,
  actionAgrees: 0.1,
  actionConflicts: 0.1,
  namePair: 0.4,
  descriptionPair: 0.3,
  nameCovered: 0.25,
  descriptionCovered: 0.2,
  queryCovered: 0.4,
  learned: 0.75,
  learnedFloor: 0.15,
  genericVerbEvidence: 0.25,
  proofWords: 4,
  weakBelow: 0.27,
  abstainBelow: 0.09,
  ownerShare: 0.6,
  ownerShareRatio: 0.92,
}
