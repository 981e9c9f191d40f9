import type { SearchWeights } from '../../../catalog/search/weights.ts'
import { WEIGHTS } from '../../../catalog/search/weights.ts'

const FLAT = { name: 1, owner: 1, title: 1, description: 1, parameterNames: 1, parameterTexts: 1 }
const NO_NORM = { name: 0, owner: 0, title: 0, description: 0, parameterNames: 0, parameterTexts: 0 }

/** The same for the pieces of learning from past queries, which a log is needed to see. */
export const LEARNING_ABLATIONS: ReadonlyMap<string, SearchWeights> = new Map(
  Object.entries({
    'floor of likeness': { learnedFloor: 0 },
    'share of the owner': { learnedByOwner: 0 },
    'doubt of like queries': { learnedLessIfHeld: 0 },
  }).map(([piece, changed]) => [piece, { ...WEIGHTS, ...changed }] as const),
)

/** The weights with one piece of the ranking switched off, by the name of the piece. */
export const ABLATIONS: ReadonlyMap<string, SearchWeights> = new Map(
  Object.entries({
    'field weights': { field: FLAT },
    parameters: { field: { ...WEIGHTS.field, parameterNames: 0, parameterTexts: 0 } },
    owner: { field: { ...WEIGHTS.field, owner: 0 } },
    'length norm': { lengthNorm: NO_NORM },
    'cap on repeats': { repeatsMax: 1_000 },
    'variety of words': { varietyMin: 0 },
    lexicon: { synonym: 0 },
    'joined words': { joined: 0 },
    'light literals': { literal: 1 },
    'light statements': { statement: 1 },
    steps: { bestStep: 0, stepTop: 0 },
    'best of each step': { stepTop: 0 },
    'variety of the page': { alreadyCovered: 0 },
    'action class': { actionAgrees: 0, actionConflicts: 0 },
    'pairs of neighbours': { namePair: 0, descriptionPair: 0 },
    'coverage of the name': { nameCovered: 0 },
    'coverage of the description': { descriptionCovered: 0 },
    'coverage of the query': { queryCovered: 0 },
    'owner share': { ownerShare: 1 },
    abstention: { abstainBelow: 0 },
  }).map(([piece, changed]) => [piece, { ...WEIGHTS, ...changed }] as const),
)
