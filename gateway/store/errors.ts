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
  /** What it was to keep had been done before: asked for again it would be done twice. */
  readonly isAfterCalls: boolean
  constructor(
    code: StoreErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly isAfterCalls?: true } = {},
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.isAfterCalls = options.isAfterCalls === true
  }
}

/** The store's error as it is told where calls had been made; any other stays what it is. */
export function afterCalls(error: unknown): unknown {
  if (!(error instanceof StoreError)) return error
  return new StoreError(error.code, error.message, { cause: error.cause, isAfterCalls: true })
}
