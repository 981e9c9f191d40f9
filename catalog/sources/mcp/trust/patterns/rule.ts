import type { ScreeningKind } from '../screening-finding.ts'
import type { Pattern } from './pattern.ts'
import { pattern } from './pattern.ts'

export interface ScreeningRule {
  readonly kind: ScreeningKind
  readonly reason: string
  /** A weak sign is told only together with another one of the same text. */
  readonly weight: 'strong' | 'weak'
  /** One of these makes the match. */
  readonly any: readonly Pattern[]
  /** One of these has to stand in the sentence too. */
  readonly with: readonly Pattern[]
  /** None of these may stand in the sentence. */
  readonly unless: readonly Pattern[]
  /** `aside`: only past what the tool says it is for. `parameter`: only in texts of a schema. */
  readonly where: 'anywhere' | 'aside' | 'parameter'
  /** Beginnings of words; where the tool's name or purpose has one, this is its business and no finding. */
  readonly business: readonly string[]
}

interface RuleText {
  readonly reason: string
  readonly weight?: 'weak'
  readonly any: readonly string[]
  readonly with?: readonly string[]
  readonly unless?: readonly string[]
  readonly where?: 'aside' | 'parameter'
  readonly business?: string
}

/** Rules of one kind, patterns read. */
export function rulesOf(kind: ScreeningKind, texts: readonly RuleText[]): readonly ScreeningRule[] {
  return texts.map((text): ScreeningRule => ({
    kind,
    reason: text.reason,
    weight: text.weight ?? 'strong',
    any: text.any.map(pattern),
    with: text.with?.map(pattern) ?? [],
    unless: text.unless?.map(pattern) ?? [],
    where: text.where ?? 'anywhere',
    business: text.business?.split(' ') ?? [],
  }))
}
