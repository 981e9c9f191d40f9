import { setImmediate as nextTurn } from 'node:timers/promises'
import type { JsonObject } from '../../../../json.ts'
import type { HeldTool } from '../held-tool.ts'
import { OFFERS_PER_SERVER_MAX, SCREENED_IN_TURN } from '../limits.ts'
import type { PinnedContent } from '../pins/pinned-content.ts'
import { contentHash } from '../pins/pinned-content.ts'
import type { ToolPins } from '../pins/tool-pins.ts'
import type { ScreeningFinding } from '../screening-finding.ts'
import type { OfferKind } from './offer.ts'
import { offerContent, offerId, offerName } from './offer.ts'
import { screenOffer } from './screen-offer.ts'

export interface OfferGateDeps {
  readonly pins: Pick<ToolPins, 'mark'>
  readonly screening: () => 'off' | 'report' | 'enforce'
  /** Names by `normalNames` that texts of a server may speak of: those of its tools. */
  readonly siblingsOf: (server: string) => ReadonlySet<string>
  readonly warn: (server: string, message: string) => void
}

/** Stands before the prompts, resources and instructions of servers that are passed on to clients. */
export interface OfferGate {
  /**
   * What of a list may be passed on. Where screening is enforced, each is screened before; else all are passed on and
   * screened in the background.
   */
  screened(server: string, kind: OfferKind, items: readonly JsonObject[]): Promise<readonly JsonObject[]>
  /** Whether one that was listed before waits for a person. */
  isWithheld(server: string, name: string): boolean
  findings(): readonly { readonly id: string; readonly findings: readonly ScreeningFinding[] }[]
  held(): readonly HeldTool[]
  forget(server: string): void
  /** All that was passed on has been screened. */
  settled(): Promise<void>
  close(): void
}

interface Offer {
  readonly name: string
  readonly item: JsonObject
  readonly content: PinnedContent
  readonly hash: string
}

interface Known extends Pick<Offer, 'content' | 'hash'> {
  readonly findings: readonly ScreeningFinding[]
}

/** What each server last showed under each name, with what was found in it. */
export function createOfferGate(deps: OfferGateDeps): OfferGate {
  return new McpOfferGate(deps)
}

class McpOfferGate implements OfferGate {
  readonly #deps: OfferGateDeps
  readonly #servers = new Map<string, Map<string, Known>>()
  #work: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(deps: OfferGateDeps) {
    this.#deps = deps
  }

  async screened(server: string, kind: OfferKind, items: readonly JsonObject[]): Promise<readonly JsonObject[]> {
    const screening = this.#deps.screening()
    if (screening === 'off') return items
    const offers = items.flatMap((item): readonly Offer[] => {
      const name = offerName(kind, item)
      if (name === undefined) return []
      const content = offerContent(item)
      return [{ name, item, content, hash: contentHash(content) }]
    })
    // One list after the other: many clients that list at once must not take all of the time together.
    const work = this.#work.then(() => this.#screenAll(server, offers))
    this.#work = work.then(
      () => undefined,
      (error: unknown) => this.#deps.warn(server, `${kind} could not be screened: ${String(error)}`),
    )
    if (screening !== 'enforce') return items
    const findings = await work
    return offers.flatMap((offer, at) =>
      this.#isHeld(server, offer.name, { ...offer, findings: findings[at] ?? [] }) ? [] : [offer.item],
    )
  }

  isWithheld(server: string, name: string): boolean {
    const known = this.#servers.get(server)?.get(name)
    return known !== undefined && this.#isHeld(server, name, known)
  }

  findings(): ReturnType<OfferGate['findings']> {
    return this.#all().flatMap(({ server, name, findings }) =>
      findings.length === 0 ? [] : [{ id: offerId(server, name), findings }],
    )
  }

  held(): readonly HeldTool[] {
    return this.#all()
      .filter(({ server, name, ...known }) => this.#isHeld(server, name, known))
      .map(({ server, name, ...known }) => {
        return { server, tool: name, id: offerId(server, name), cause: 'screening', ...known }
      })
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

  /** Findings in the order of the offers; what is known from before is not screened again. */
  async #screenAll(
    server: string,
    offers: readonly Offer[],
  ): Promise<readonly (readonly ScreeningFinding[] | undefined)[]> {
    const found: (readonly ScreeningFinding[] | undefined)[] = []
    const siblings = this.#deps.siblingsOf(server)
    let screened = 0
    for (const offer of offers) {
      if (this.#isClosed) return found
      const known = this.#servers.get(server)?.get(offer.name)
      if (known?.hash === offer.hash) {
        found.push(known.findings)
        continue
      }
      const findings = screenOffer(offer.item, siblings)
      this.#keep(server, offer, findings)
      found.push(findings)
      screened += 1
      if (screened % SCREENED_IN_TURN === 0) await nextTurn()
    }
    return found
  }

  #keep(server: string, { name, content, hash }: Offer, findings: readonly ScreeningFinding[]): void {
    const known = this.#servers.get(server) ?? new Map<string, Known>()
    this.#servers.set(server, known)
    known.delete(name)
    known.set(name, { content, hash, findings })
    const [oldest] = known.keys()
    if (known.size > OFFERS_PER_SERVER_MAX && oldest !== undefined) known.delete(oldest)
    const [first] = findings
    if (first === undefined) return
    this.#deps.warn(server, `${name}: screening found ${first.kind} in ${first.place} (${first.reason})`)
  }

  #isHeld(server: string, name: string, { hash, findings }: Pick<Known, 'hash' | 'findings'>): boolean {
    if (findings.length === 0 || this.#deps.screening() !== 'enforce') return false
    const mark = this.#deps.pins.mark(server, name)
    return mark?.acceptedBy === undefined || mark.hash !== hash
  }

  #all(): readonly (Known & { readonly server: string; readonly name: string })[] {
    return [...this.#servers].flatMap(([server, known]) =>
      [...known].map(([name, each]) => ({ server, name, ...each })),
    )
  }
}
