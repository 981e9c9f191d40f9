/** Work that waits for a decision or for its client, or that is under way again and has to outlive its gateway. */
export interface WaitingEntry {
  readonly tenant: string
  /** Of the run, the turn or the call. */
  readonly id: string
  readonly kind: 'run' | 'turn' | 'call'
  /** The turn that it is a part of, and that goes on with it. */
  readonly turnId?: string
  /** Approvals that it waits for. */
  readonly approvals: readonly string[]
  /** Whether it waits for its client, and goes on with that alone. */
  readonly isForClient: boolean
}

export interface WaitingRow extends WaitingEntry {
  /** All that going on needs, sealed, base64. */
  readonly sealed: string
}

/** Who is at a piece of work, and until when nobody else may be. */
export interface WaitingClaim {
  readonly owner: string
  readonly nowMs: number
  readonly untilMs: number
  /** Whether the owner is at it now: its row is then the owner's. */
  readonly isHeld: boolean
  /** Whether its row is there and the owner's: then it must still be so. */
  readonly isKnown: boolean
}

/** As everywhere in the store: what rejects did nothing, and a tenant sees its own rows alone. */
export interface WaitingStore {
  /** Adds it, or replaces the one with this id. Rejects with `row-taken` where that is another's now. */
  put(row: WaitingRow, claim?: WaitingClaim): Promise<void>
  get(tenant: string, id: string): Promise<WaitingRow | undefined>
  /** Rejects with `row-taken` where it is another's now, or was known and is gone. */
  remove(tenant: string, id: string, claim?: WaitingClaim): Promise<void>
  /** `taken`: another's is in force. `absent`: there is no row that could be claimed. */
  claim(
    tenant: string,
    id: string,
    claim: Pick<WaitingClaim, 'owner' | 'nowMs' | 'untilMs'>,
  ): Promise<'claimed' | 'taken' | 'absent'>
  /** Whose claim is in force; undefined where nobody's is. */
  ownerOf(tenant: string, id: string, nowMs: number): Promise<string | undefined>
  /** All that are an owner's. */
  renew(owner: string, untilMs: number): Promise<void>
  /** Nothing where it is another's. */
  release(tenant: string, id: string, owner: string): Promise<void>
  /** Of all tenants: what waits for nobody but its client, and was last kept before a time; at most 1,000. */
  listAbandoned(beforeMs: number): Promise<readonly WaitingEntry[]>
  /** Of all tenants, in an order of its own, after an entry; at most 1,000. */
  list(after: Pick<WaitingEntry, 'tenant' | 'id'> | undefined): Promise<readonly WaitingEntry[]>
}
