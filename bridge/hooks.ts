import type { Caller } from '../catalog/caller.ts'
import type { JsonObject } from '../catalog/json.ts'
import type { Tool, ToolResult } from '../catalog/tool.ts'
import type { ApprovalDecision, ApprovalSeverity } from './approval.ts'
import type { Outcome } from './outcome.ts'

/** What a `before_tool_call` handler is shown: an isolated copy, as in every event; changing it changes nothing. */
export interface BeforeToolCallEvent {
  /** Unique; `<run>/<n>` for a call of a program. */
  readonly callId: string
  /** The model's own call that this one is made in: of the program that calls. Absent where no model asked. */
  readonly parentCallId?: string
  readonly runId?: string
  readonly turnId?: string
  readonly toolId: string
  readonly source: Tool['source']
  readonly owner: string
  readonly name: string
  /** The input as it stands, earlier handlers' `params` included. */
  readonly params: JsonObject
  readonly caller: Caller
}

/** A person, or a grant, has to allow the call first. */
export interface RequireApproval {
  /** At most 80 characters; the rest is cut. Default: the tool and who asks. */
  readonly title?: string
  /** At most 512 characters; the rest is cut. */
  readonly description?: string
  /** Default `warning`. */
  readonly severity?: ApprovalSeverity
  /** While the call is held, at most 600,000; default as configured. A parked call waits as long as configured. */
  readonly timeoutMs?: number
  /** Default all three. */
  readonly allowedDecisions?: readonly ApprovalDecision[]
}

/**
 * What a handler may decide. `block` is terminal. The last handler's `params` win, until a handler requires an approval:
 * that freezes them. The first `requireApproval` wins, and later handlers can still block.
 */
export interface BeforeToolCallDecision {
  /** Replaces the whole input; it is validated and decided again. */
  readonly params?: JsonObject
  readonly block?: boolean
  /** Shown to the model, at most 512 characters. */
  readonly blockReason?: string
  readonly requireApproval?: RequireApproval
}

export interface AfterToolCallEvent extends BeforeToolCallEvent {
  readonly outcome: Outcome
  readonly ms: number
}

/** What the tool gave, before it is checked against its schema, made a value of, cut or returned. */
export interface ToolResultEvent extends BeforeToolCallEvent {
  /** As earlier handlers left it. */
  readonly result: ToolResult
}

/** A message in the form of OpenAI's chat completions. */
export type ShownMessage = Readonly<Record<string, unknown>>

/** Where a model step stands. */
export interface ModelCallEvent {
  readonly turnId: string
  /** Of the turn, from 1. */
  readonly step: number
  readonly caller: Caller
  /** `<provider>/<model>`. */
  readonly model: string
}

export interface BeforeModelCallEvent extends ModelCallEvent {
  /** As the provider gets them. */
  readonly messages: readonly ShownMessage[]
  /** Names of the tools that the model is shown. */
  readonly tools: readonly string[]
  /** Request parameters such as `temperature`, earlier handlers' `params` included. */
  readonly params: JsonObject
}

export interface BeforeModelCallDecision {
  /** Replaces the request parameters; the last handler's win. */
  readonly params?: JsonObject
  /** The turn ends with an error. */
  readonly block?: boolean
  /** Shown to the client, at most 512 characters. */
  readonly blockReason?: string
}

export interface AfterModelCallEvent extends ModelCallEvent {
  readonly text: string
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
  readonly finishReason: string
  readonly ms: number
}

export interface TurnStartEvent {
  readonly turnId: string
  readonly caller: Caller
  /** The messages of the request. */
  readonly messages: readonly ShownMessage[]
}

export interface TurnStartDecision {
  /** Tools by id or name, with `*`, that this turn may see and call: one more policy layer, which only narrows. */
  readonly toolsAllow?: readonly string[]
  readonly block?: boolean
  /** Shown to the client, at most 512 characters. */
  readonly blockReason?: string
}

export interface TurnEndEvent {
  readonly turnId: string
  readonly caller: Caller
  /** `stop`, `length`, `tool_calls`, `waiting`, `cancelled`, or the code of the turn's error. */
  readonly end: string
  readonly steps: number
}

type Handler<Event, Decision> = (event: Event, signal: AbortSignal) => Decision | void | Promise<Decision | void>

/** Every event with its handler. Handlers that decide come before what they decide on; the others only watch. */
export interface HookHandlers {
  readonly before_tool_call: Handler<BeforeToolCallEvent, BeforeToolCallDecision>
  readonly after_tool_call: Handler<AfterToolCallEvent, void>
  /** Gives the result that goes on, or nothing to leave it. */
  readonly tool_result: Handler<ToolResultEvent, ToolResult>
  readonly before_model_call: Handler<BeforeModelCallEvent, BeforeModelCallDecision>
  readonly after_model_call: Handler<AfterModelCallEvent, void>
  readonly turn_start: Handler<TurnStartEvent, TurnStartDecision>
  readonly turn_end: Handler<TurnEndEvent, void>
}

export type HookEvent = keyof HookHandlers
export type BeforeToolCall = HookHandlers['before_tool_call']
export type AfterToolCall = HookHandlers['after_tool_call']

export const HOOK_EVENTS = [
  'before_tool_call',
  'after_tool_call',
  'tool_result',
  'before_model_call',
  'after_model_call',
  'turn_start',
  'turn_end',
] as const satisfies readonly HookEvent[]

interface HookCommon {
  /** Plugin that registered it; named when it fails. */
  readonly plugin: string
  /** Higher runs earlier; default 0; ties in order of registration. */
  readonly priority: number
  /**
   * Pattern (`*` matches any text, case-insensitive) over ids and names of tools; over `<provider>/<model>` for the
   * events of model calls; over the agent's name for those of turns. Absent means every one.
   */
  readonly matcher?: string
}

export type RegisteredHook = {
  readonly [Event in HookEvent]: HookCommon & { readonly event: Event; readonly handler: HookHandlers[Event] }
}[HookEvent]

export type HookOf<Event extends HookEvent> = Extract<RegisteredHook, { readonly event: Event }>
