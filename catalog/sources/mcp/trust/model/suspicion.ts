import type { Subject } from '../lexicon/subject.ts'
import type { ScreeningKind } from '../screening-finding.ts'
import { modelWeights } from './model-weights.ts'
import type { Segment } from './segment-signs.ts'
import { segmentSigns } from './segment-signs.ts'
import { segmentFeatures } from './segment-features.ts'
import { WORD_MARK } from './segment-words.ts'

export interface Suspicion {
  readonly kind: ScreeningKind
  /** The words that speak most for it. */
  readonly words: readonly string[]
}

/** What a linear model says of signs that no rule joins; undefined where it is not sure. */
export function suspicionOf(segment: Segment, subject: Subject): Suspicion | undefined {
  const signs = segmentSigns(segment, subject)
  const names = segmentFeatures(segment, signs)
  const { bias, threshold, byFeature } = modelWeights()
  const score = names.reduce((sum, name) => sum + (byFeature.get(name) ?? 0), bias)
  if (score <= threshold) return undefined
  const weightBySign = new Map<string, number>()
  for (const name of names) {
    const weight = byFeature.get(name) ?? 0
    for (const sign of name.startsWith(WORD_MARK) ? [] : name.split('+'))
      weightBySign.set(sign, (weightBySign.get(sign) ?? 0) + weight)
  }
  const strongest = [...weightBySign].toSorted(([, a], [, b]) => b - a).map(([sign]) => sign)
  const words = strongest.map((sign) => signs.shown.get(sign) ?? '').filter((word) => word !== '')
  return { kind: kindOf(signs.shown), words: [...new Set(words)].slice(0, WORDS_SHOWN) }
}

/** Words of a reason: enough to see why, few enough for a line. */
const WORDS_SHOWN = 5

function kindOf(signs: ReadonlyMap<string, string>): ScreeningKind {
  const has = (...names: readonly string[]): boolean => names.some((name) => signs.has(name))
  if (has('otherTool', 'otherEffect')) return 'tool-shadowing'
  if (has('approved') && has('change', 'will')) return 'delayed-change'
  if (has('secret', 'secretPlace', 'chat', 'said', 'content') && has('put', 'move', 'read')) return 'data-exfiltration'
  if (has('hide', 'tell') && has('user', 'not')) return 'concealment'
  if (has('privileged', 'risk', 'run', 'destroy') && !has('rule', 'obey', 'ignore')) return 'capability-mismatch'
  return 'instruction-override'
}
