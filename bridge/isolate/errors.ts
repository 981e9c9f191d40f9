/** Why there is no isolate bridge on this machine; `code` mode falls back to `tools` and says so. */
export type IsolateErrorCode =
  /** No prebuilt addon for this platform. */
  | 'isolate-addon-missing'
  /** No worker reported ready. */
  | 'isolate-worker-failed'
  /** A worker could do what it must not be able to do. */
  | 'isolate-not-confined'

export class IsolateError extends Error {
  override readonly name = 'IsolateError'
  readonly code: IsolateErrorCode
  constructor(code: IsolateErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}
