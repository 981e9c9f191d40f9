/** Why a server gave no answer that could be passed on. */
export type UpstreamFaultCode = 'unreachable' | 'refused' | 'bad-answer' | 'no-answer' | 'session-forgotten'

/** Its message is written for the client. */
export class UpstreamFault extends Error {
  override readonly name = 'UpstreamFault'
  readonly code: UpstreamFaultCode
  constructor(code: UpstreamFaultCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}
