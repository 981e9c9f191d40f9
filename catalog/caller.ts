/** Who asks. Every field comes from authentication and the request; none from a model or a program. */
export interface Caller {
  /** Owner of sessions, runs, receipts and approvals; callers of different tenants never see each other's. */
  readonly tenant: string
  /** Name under `agents` in the configuration. */
  readonly agent: string
  readonly channel?: string
  readonly sender?: string
  readonly session?: string
  readonly provider?: string
  readonly model?: string
}
