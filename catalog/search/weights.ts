import type { Field } from './index/tool-texts.ts'

export interface SearchWeights {
  readonly field: Readonly<Record<Field, number>>
  readonly lengthNorm: Readonly<Record<Field, number>>
  readonly pivotWords: Readonly<Record<Field, number>>
  readonly repeatsMax: number
  readonly saturation: number
  readonly idfPower: number
  readonly synonym: number
  readonly bestStep: number
  readonly actionAgrees: number
  readonly actionConflicts: number
  readonly bigram: number
  readonly nameCovered: number
  readonly queryCovered: number
}

export const WEIGHTS: SearchWeights = {
  field: { name: 2, owner: 1.5, title: 1.5, description: 1.5, parameterNames: 1, parameterTexts: 0.3 },
  lengthNorm: { name: 0.4, owner: 0.4, title: 0.4, description: 0.5, parameterNames: 0.8, parameterTexts: 0.4 },
  pivotWords: { name: 3, owner: 2, title: 3, description: 16, parameterNames: 6, parameterTexts: 30 },
  repeatsMax: 3,
  saturation: 1.2,
  idfPower: 1.1,
  synonym: 0.4,
  bestStep: 0.5,
  actionAgrees: 0.1,
  actionConflicts: 0.1,
  bigram: 0.3,
  nameCovered: 0.2,
  queryCovered: 0.2,
}
