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

/** As everywhere in the store: what rejects did nothing, and a tenant sees its own rows alone. */
export interface WaitingStore {
  /** Adds it, or replaces the one with this id. */
  put(row: WaitingRow): Promise<void>
  get(tenant: string, id: string): Promise<WaitingRow | undefined>
  remove(tenant: string, id: string): Promise<void>
  /** Of all tenants: what waits for nobody but its client, and was last kept before a time; at most 1,000. */
  listAbandoned(beforeMs: number): Promise<readonly WaitingEntry[]>
  /** Of all tenants, in an order of its own, after an entry; at most 1,000. */
  list(after: Pick<WaitingEntry, 'tenant' | 'id'> | undefined): Promise<readonly WaitingEntry[]>
}
