/** Who asks. Every field comes from authentication and the request; none from a model or a program. */
export interface Caller {
  /** Owner of sessions, runs, receipts and approvals; callers of different tenants never see each other's. */
  readonly tenant: string
  /** Name under `agents` in the configuration. */
  readonly agent: string
  readonly channel?: string
  readonly sender?: string
  /** The token is the channel's own: channel and sender are true, not merely what a client says of itself. */
  readonly isVouched?: true
  /** Names the token that asked: what of it waits goes on only while the token is good. Absent where none asked. */
  readonly token?: string
  /** Of a vouched caller: the agents that its token is bound to; absent: any. */
  readonly boundTo?: readonly string[]
  /** How the channel shows the sender, beside the id in `sender`. */
  readonly senderName?: string
  readonly session?: string
  readonly provider?: string
  readonly model?: string
  /** Set for a child agent: the agent that started it. */
  readonly parentAgent?: string
  /** Set on what a program asks for, as opposed to its model or a client. */
  readonly origin?: 'program'
  /** Lists of tools of the request and of hooks; each narrows further. */
  readonly toolsAllow?: readonly (readonly string[])[]
}

/** The caller as the programs that it runs are judged. */
export function asProgram(caller: Caller): Caller {
  return caller.origin === 'program' ? caller : { ...caller, origin: 'program' }
}
