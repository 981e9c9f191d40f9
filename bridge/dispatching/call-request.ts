import type { Caller } from '../../catalog/caller.ts'
import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import type { CallProgress, Tool, ToolExecute } from '../../catalog/tool.ts'
import type { View } from '../../catalog/view.ts'
import type { Verdict } from '../../policy/decide.ts'
import type { ApprovalDesk } from '../approval.ts'
import type { CallHold } from '../approving/call-hold.ts'
import type { FrozenCall } from '../approving/frozen-call.ts'
import type { AskClient } from '../asking/ask-client.ts'
import type { ExecuteTool } from '../execute-tool.ts'
import type { HookRunner } from '../hooks/hook-runner.ts'
import type { InputProblem, Notice } from '../outcome.ts'
import type { WriteReceipt } from '../receipt.ts'

/** What a caller asked for, not yet looked at. */
export type CallTarget =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'path'; readonly owner: string; readonly name: string }
  /** A call that was parked, made now. `answer` is the client's, to a call of its own tool. */
  | { readonly kind: 'frozen'; readonly call: FrozenCall; readonly answer?: string }

/** Told of the steps of a call that takes long. */
export type OnProgress = (step: CallProgress, toolId: string) => void

export interface CallRequest {
  /** Unique; `<run>/<n>` for the calls of a program. */
  readonly callId: string
  readonly target: CallTarget
  /** Hostile until validated. Of a frozen call they are not looked at. */
  readonly args: JsonValue
  readonly view: View
  readonly caller: Caller
  readonly runId?: string
  readonly turnId?: string
  /** The model's own call that this one is made in. */
  readonly parentCallId?: string
  /** The search of the same turn that had found a tool. */
  readonly queryFor?: (toolId: string) => string | undefined
  /** The tool as it was last found or described in the same turn: what the arguments were written by. */
  readonly shown?: (toolId: string) => Tool | undefined
  readonly hold?: CallHold
  readonly onProgress?: OnProgress
  /** Where a running tool's questions go first. */
  readonly askClient?: AskClient
  /** Runs the admitted tool in the place of its own way: the same tool, over a connection that is the caller's alone. */
  readonly execute?: ToolExecute
}

export interface DispatcherDeps {
  /** The tool as it is registered now: views are immutable, the world is not. */
  readonly current: (id: string) => Tool | undefined
  /** Policy in force now, for this caller and the final input. */
  readonly decide: (tool: Tool, caller: Caller, input: JsonObject) => Verdict
  /** Why the caller may make no call any more, or undefined; asked anew for each. */
  readonly callerFault: (caller: Caller) => Promise<string | undefined>
  readonly repair: (args: JsonValue, tool: Tool) => { readonly args: JsonValue; readonly notices: readonly Notice[] }
  readonly validate: (tool: Tool, args: JsonValue) => Validation
  readonly signature: (tool: Tool) => string
  readonly hooks: HookRunner
  readonly execute: ExecuteTool
  readonly desk: ApprovalDesk
  readonly writeReceipt: WriteReceipt
  /** Rejects where a receipt could not be written now: then no tool is given its call. */
  readonly checkReceipts: () => Promise<void>
  /** Told of a call before its tool is given it: the receipt to be found after a crash, which is kept when it returns. */
  readonly noteReceipt: WriteReceipt
  readonly redact: (text: string) => string
  readonly warn: (message: string, error: unknown) => void
  readonly now: () => number
  readonly newId: () => string
}

export type Validation =
  | { readonly kind: 'valid'; readonly value: JsonObject }
  | { readonly kind: 'invalid'; readonly problems: readonly InputProblem[] }
