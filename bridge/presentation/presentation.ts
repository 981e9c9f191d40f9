import type { JsonObject } from '../../catalog/json.ts'
import type { SettledCall } from '../outcome.ts'
import type { RunCall, RunTelemetry } from '../run.ts'

export type Mode = 'direct' | 'code' | 'tools'

/** A function definition as providers take it. */
export interface ModelTool {
  readonly name: string
  readonly description: string
  readonly parameters: JsonObject
}

/** A model's request to call one of the shown tools. `arguments` is its JSON text, unparsed. */
export interface ModelCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
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
