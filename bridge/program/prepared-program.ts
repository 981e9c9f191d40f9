import type { Notice } from '../outcome.ts'
import type { RunError } from '../run.ts'

/** A model's text made ready to run, or the reason why it cannot run. */
export type PreparedProgram =
  | {
      readonly kind: 'ready'
      /** Body of an async function. */
      readonly code: string
      readonly notices: readonly Notice[]
      /** Turns a position in `code` into one in the model's own text; positions count from 1. */
      readonly toSource: (line: number, column: number) => { readonly line: number; readonly column: number }
      /** The model's own line, for showing it with a caret; '' where there is none. */
      readonly sourceLine: (line: number) => string
    }
  | { readonly kind: 'invalid'; readonly error: RunError; readonly notices: readonly Notice[] }
