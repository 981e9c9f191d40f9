export type StateErrorCode =
  | 'state-directory-in-use'
  | 'state-directory-unusable'
  | 'seal-key-unusable'
  | 'seal-broken'
  | 'token-unusable'

/** The state directory cannot be used as it is; the message says what to do. */
export class StateError extends Error {
  override readonly name = 'StateError'
  readonly code: StateErrorCode
  constructor(code: StateErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}
