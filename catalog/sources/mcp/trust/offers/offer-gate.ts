import { setImmediate as nextTurn } from 'node:timers/promises'
import type { JsonObject } from '../../../../json.ts'
import type { HeldTool } from '../held-tool.ts'
import { FINDINGS_MAX, OFFERS_PER_SERVER_MAX, SCREENED_IN_TURN, SCREENED_IN_TURN_MAX_LENGTH } from '../limits.ts'
import type { PinnedContent } from '../pins/pinned-content.ts'
import { contentHash } from '../pins/pinned-content.ts'
import type { ToolPins } from '../pins/tool-pins.ts'
import type { ScreeningFinding } from '../screening-finding.ts'
import type { OfferKind } from './offer.ts'
import { offerContent, offerId, offerName } from './offer.ts'
import type { FoundOffer, HashedOffer, KnownOffers } from './known-offers.ts'
import { createKnownOffers } from './known-offers.ts'
import { screenOffer } from './screen-offer.ts'

export interface OfferGateDeps {
  readonly pins: Pick<ToolPins, 'mark'>
  readonly screening: () => 'off' | 'report' | 'enforce'
  /** Names by `normalNames` that texts of a server may speak of: those of its tools. */
  readonly siblingsOf: (server: string) => ReadonlySet<string>
  readonly warn: (server: string, message: string) => void
}

/** Some of what a server offers, as it listed it. */
export interface OfferList {
  readonly kind: OfferKind
  readonly items: readonly JsonObject[]
  /** More of the list stands on other pages: a name that is not seen here may be there. */
  readonly isPage?: boolean
}

/** Stands before the prompts, resources and instructions of servers that are passed on to clients. */
export interface OfferGate {
  /**
   * What of a list may be passed on. Where screening is enforced, each is screened before; else all are passed on and
   * screened in the background.
   */
  screened(server: string, list: OfferList): Promise<readonly JsonObject[]>
  /** Whether what is found is kept back. */
  isEnforced(): boolean
  /** Whether one that was listed before waits for a person, or stands in a list beside one of its name that does. */
  isWithheld(server: string, name: string): boolean
  findings(): readonly { readonly id: string; readonly findings: readonly ScreeningFinding[] }[]
  held(): readonly HeldTool[]
  forget(server: string): void
  /** All that was passed on has been screened. */
  settled(): Promise<void>
  close(): void
}

interface Offer extends HashedOffer {
  readonly item: JsonObject
}

/** What each server last showed under each name, with what was found in it. */
export function createOfferGate(deps: OfferGateDeps): OfferGate {
  return new McpOfferGate(deps)
}

class McpOfferGate implements OfferGate {
  readonly #deps: OfferGateDeps
  readonly #servers = new Map<string, KnownOffers>()
  #work: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(deps: OfferGateDeps) {
    this.#deps = deps
  }

  async screened(server: string, { kind, items, isPage = false }: OfferList): Promise<readonly JsonObject[]> {
    const screening = this.#deps.screening()
    if (screening === 'off') return items
    const offers = items.flatMap((item): readonly Offer[] => {
      const name = offerName(kind, item)
      if (name === undefined) return []
      const content = offerContent(item)
      return [{ kind, name, item, content, hash: contentHash(content) }]
    })
    // One list after the other: many clients that list at once must not take all of the time together.
    const work = this.#work.then(() => this.#screenAll(server, offers, isPage ? 'page' : 'whole'))
    this.#work = work.catch((error: unknown) =>
      this.#deps.warn(server, `${kind} could not be screened: ${String(error)}`),
    )
    if (screening !== 'enforce') return items
    await work
    if (this.#isClosed) return []
    const names = new Set(offers.map(({ name }) => name))
    // Asked once a name: a server may list thousands under one.
    const withheld = new Set([...names].filter((name) => this.isWithheld(server, name)))
    return offers.flatMap(({ name, item }) => (withheld.has(name) ? [] : [item]))
  }

  isEnforced(): boolean {
    return this.#deps.screening() === 'enforce'
  }

  isWithheld(server: string, name: string): boolean {
    if (!this.isEnforced()) return false
    const known = this.#servers.get(server)
    if (known === undefined) return false
    return known.isOverfull() || this.#isHeld(server, known.foundAs(name))
  }

  findings(): ReturnType<OfferGate['findings']> {
    return this.#all().map(({ server, name, findings }) => ({ id: offerId(server, name), findings }))
  }

  held(): readonly HeldTool[] {
    return [...this.#servers].flatMap(([server, known]) =>
      [...Map.groupBy(known.found(), ({ name }) => name)]
        .filter(([, twins]) => this.#isHeld(server, twins))
        .map(([name, twins]): HeldTool => {
          const findings = twins.flatMap((twin) => twin.findings).slice(0, FINDINGS_MAX)
          const [content, hash] = [contentOfAll(twins), hashOfAll(twins)]
          return { server, tool: name, id: offerId(server, name), cause: 'screening', content, hash, findings }
        }),
    )
  }

  forget(server: string): void {
    this.#servers.delete(server)
  }

  settled(): Promise<void> {
    return this.#work
  }

  close(): void {
    this.#isClosed = true
  }

  /** What is known from before is not screened again. */
  async #screenAll(server: string, offers: readonly Offer[], part: 'whole' | 'page'): Promise<void> {
    const known = this.#servers.get(server) ?? createKnownOffers()
    this.#servers.set(server, known)
    const siblings = this.#deps.siblingsOf(server)
    const all: FoundOffer[] = []
    let [screened, length] = [0, 0]
    for (const { item, ...offer } of offers) {
      if (this.#isClosed) return
      const before = known.findingsOf(offer)
      all.push({ ...offer, findings: before ?? screenOffer(item, siblings) })
      if (before !== undefined) continue
      screened += 1
      length += JSON.stringify(item).length
      if (screened < SCREENED_IN_TURN && length < SCREENED_IN_TURN_MAX_LENGTH) continue
      await nextTurn()
      screened = 0
      length = 0
    }
    const wasOverfull = known.isOverfull()
    for (const { name, findings } of known.take(all, part)) {
      const [first] = findings
      if (first === undefined) continue
      this.#deps.warn(server, `${name}: screening found ${first.kind} in ${first.place} (${first.reason})`)
    }
    if (known.isOverfull() && !wasOverfull) this.#deps.warn(server, OVERFULL)
  }

  /** Of all that was found under one name. */
  #isHeld(server: string, twins: readonly FoundOffer[]): boolean {
    const [first] = twins
    if (first === undefined || this.#deps.screening() !== 'enforce') return false
    const mark = this.#deps.pins.mark(server, first.name)
    return mark?.acceptedBy === undefined || mark.hash !== hashOfAll(twins)
  }

  #all(): readonly (FoundOffer & { readonly server: string })[] {
    return [...this.#servers].flatMap(([server, known]) => known.found().map((each) => ({ server, ...each })))
  }
}

/**
 * What a server shows under one name is looked at and accepted together: whoever let one of two through would not know
 * which of them a client gets. In what order they are listed is no change.
 */
function hashOfAll(twins: readonly FoundOffer[]): string {
  const [first, ...others] = twins.map(({ hash }) => hash).toSorted()
  if (first !== undefined && others.length === 0) return first
  return contentHash({ description: '', listing: { shown: [first ?? '', ...others] } })
}

function contentOfAll(twins: readonly FoundOffer[]): PinnedContent {
  const [first, ...others] = twins
  if (first !== undefined && others.length === 0) return first.content
  const shown = twins.map(({ kind, content }): JsonObject => ({ kind, ...content, listing: content.listing ?? {} }))
  return { description: `${twins.length} of one name`, listing: { shown } }
}

const OVERFULL = `screening found something in more than ${OFFERS_PER_SERVER_MAX} of its prompts and resources; with "enforce" none is passed on`
