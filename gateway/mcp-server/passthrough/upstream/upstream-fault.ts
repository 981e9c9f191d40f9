/** Why a server gave no answer that could be passed on. */
export type UpstreamFaultCode = 'unreachable' | 'refused' | 'busy' | 'bad-answer' | 'no-answer' | 'session-forgotten'

export interface UpstreamFaultOptions {
  readonly cause?: unknown
  /** How long a busy server asks to be left alone, where it says so. */
  readonly retryAfterMs?: number | undefined
}

/** Its message is written for the client. */
export class UpstreamFault extends Error {
  override readonly name = 'UpstreamFault'
  readonly code: UpstreamFaultCode
  readonly retryAfterMs: number | undefined
  constructor(code: UpstreamFaultCode, message: string, { retryAfterMs, ...options }: UpstreamFaultOptions = {}) {
    super(message, options)
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}
