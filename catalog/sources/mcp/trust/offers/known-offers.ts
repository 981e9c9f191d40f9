import { CLEAN_OFFERS_PER_SERVER_MAX, OFFERS_PER_SERVER_MAX } from '../limits.ts'
import type { PinnedContent } from '../pins/pinned-content.ts'
import type { ScreeningFinding } from '../screening-finding.ts'
import type { OfferKind } from './offer.ts'

export interface HashedOffer {
  readonly kind: OfferKind
  readonly name: string
  readonly content: PinnedContent
  readonly hash: string
}

export interface FoundOffer extends HashedOffer {
  readonly findings: readonly ScreeningFinding[]
}

/** What one server offers, as it was screened. */
export interface KnownOffers {
  /** Of what was screened before. */
  findingsOf(offer: Pick<HashedOffer, 'kind' | 'name' | 'hash'>): readonly ScreeningFinding[] | undefined
  /** Takes what was listed; gives those of it in which something was found that was not there before. */
  take(listed: readonly FoundOffer[], part: 'whole' | 'page'): readonly FoundOffer[]
  /** All in which something was found. */
  found(): readonly FoundOffer[]
  foundAs(name: string): readonly FoundOffer[]
  /** Something was found in more than is kept. */
  isOverfull(): boolean
}

/**
 * All that a server shows under one name is kept while something was found in it: a clean twin in the same list, on another
 * page or among the templates frees nothing. A whole list that shows the name without it does: the server has mended it.
 */
export function createKnownOffers(): KnownOffers {
  const clean = new Set<string>()
  const foundByName = new Map<string, readonly FoundOffer[]>()
  let count = 0
  let isOverfull = false
  const put = (name: string, offers: readonly FoundOffer[]): void => {
    count += offers.length - (foundByName.get(name)?.length ?? 0)
    if (offers.length === 0) foundByName.delete(name)
    else foundByName.set(name, offers)
  }
  const add = (offer: FoundOffer): readonly FoundOffer[] => {
    const before = foundByName.get(offer.name) ?? []
    if (before.some((each) => isSame(each, offer))) return []
    if (count >= OFFERS_PER_SERVER_MAX) {
      isOverfull = true
      return []
    }
    put(offer.name, [...before, offer])
    return [offer]
  }
  const dropMended = (listed: readonly FoundOffer[]): void => {
    for (const [name, offers] of Map.groupBy(listed, (offer) => offer.name)) {
      const isShown = (found: FoundOffer): boolean =>
        offers.every(({ kind }) => kind !== found.kind) || offers.some((offer) => isSame(offer, found))
      put(name, (foundByName.get(name) ?? []).filter(isShown))
    }
  }
  return {
    findingsOf(offer) {
      if (clean.has(offer.hash)) return []
      return foundByName.get(offer.name)?.find((each) => isSame(each, offer))?.findings
    },
    take(listed, part) {
      if (part === 'whole') dropMended(listed)
      for (const { hash, findings } of listed) if (findings.length === 0) remember(clean, hash)
      return listed.flatMap((offer) => (offer.findings.length > 0 ? add(offer) : []))
    },
    found: () => [...foundByName.values()].flat(),
    foundAs: (name) => foundByName.get(name) ?? [],
    isOverfull: () => isOverfull,
  }
}

function isSame(one: Pick<HashedOffer, 'kind' | 'hash'>, other: Pick<HashedOffer, 'kind' | 'hash'>): boolean {
  return one.kind === other.kind && one.hash === other.hash
}

function remember(hashes: Set<string>, hash: string): void {
  hashes.delete(hash)
  hashes.add(hash)
  const [oldest] = hashes
  if (hashes.size > CLEAN_OFFERS_PER_SERVER_MAX && oldest !== undefined) hashes.delete(oldest)
}
