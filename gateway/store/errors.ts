/** What can be wrong with the store itself. */
export type StoreErrorCode =
  | 'store-corrupt'
  | 'store-locked'
  | 'store-read-only'
  | 'store-full'
  | 'store-unreachable'
  | 'store-too-new'
  | 'store-closed'
  | 'row-too-large'
  | 'row-taken'
  | 'store-failed'

/** The store could not do what was asked; nothing of it was done. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code: StoreErrorCode
  constructor(code: StoreErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}
