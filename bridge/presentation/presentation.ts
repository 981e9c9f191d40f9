import type { JsonObject } from '../../catalog/json.ts'
import type { Pending } from '../approval.ts'
import type { CallHold } from '../approving/call-hold.ts'
import type { SettledCall } from '../outcome.ts'
import type { RunCall, RunTelemetry } from '../run.ts'

export type Mode = 'direct' | 'code' | 'tools'

/** A function definition as providers take it. */
export interface ModelTool {
  readonly name: string
  readonly description: string
  readonly parameters: JsonObject
  /** As a client said it of a tool of its own. */
  readonly strict?: boolean
}

/** A model's request to call one of the shown tools. `arguments` is its JSON text, unparsed. */
export interface ModelCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
  /** How it may wait for a person or the client; absent: it is waited for until decided, and no client is reached. */
  readonly waiting?: CallWaiting
}

/** Who asked for the model's step keeps its calls while they wait. */
export interface CallWaiting {
  readonly turnId: string
  /** Of a call that the model makes itself. */
  readonly hold: CallHold
  /** The program of this call waits, and is kept under this id from now on. */
  readonly onRunWaiting: (runId: string, pending: readonly Pending[]) => Promise<void>
}

/** What goes back to the model for one call, and what the session log keeps of it. */
export type ModelResult =
  | {
      readonly kind: 'result'
      readonly text: string
      readonly isError: boolean
      readonly searches: number
      readonly describes: number
      /** Calls that reached the dispatcher, in the order in which they ended. */
      readonly calls: readonly RunCall[]
      /** The one call itself, for clients that take more than text: its content blocks and structured result. */
      readonly settled?: SettledCall
      readonly run?: { readonly id: string; readonly telemetry: RunTelemetry }
      /** It has not ended: this is what it waits for, and the text says so. */
      readonly waiting?: readonly Pending[]
    }
  /** Only the client can run it: the turn ends with this call for the client. */
  | { readonly kind: 'client-call'; readonly name: string; readonly arguments: JsonObject }

/** What a model is shown for a view, and how its calls are handled; chosen once per model step. */
export interface Presentation {
  readonly mode: Mode
  /** In a stable order, byte for byte the same from request to request. */
  definitions(): readonly ModelTool[]
  handle(call: ModelCall, signal: AbortSignal): Promise<ModelResult>
  /**
   * The form in which a model makes a call of one of the client's own tools here: `tool_call { id, args }` in `tools`,
   * the shown name elsewhere. History that comes back from the client holds such calls under the client's name for
   * them. A name that is no client tool of this request comes back as it was.
   */
  recall(call: Pick<ModelCall, 'name' | 'arguments'>): Pick<ModelCall, 'name' | 'arguments'>
}
