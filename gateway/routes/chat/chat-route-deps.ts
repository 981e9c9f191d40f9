import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../../catalog/caller.ts'
import type { JsonObject } from '../../../catalog/json.ts'
import type { ToolDefinition } from '../../../catalog/tool.ts'
import type { ChatMessage } from '../../providers/provider.ts'
import type { ResumedTurn } from '../../turn/steps/resume-step.ts'
import type { TurnDeps, TurnEvent } from '../../turn/turn.ts'

/** What a turn is made for; whoever opens it resolves the agent's model, view and session. */
export interface TurnOpening {
  /** With the agent and the session of this request. */
  readonly caller: Caller
  readonly turnId: string
  readonly requestId: string
  /** The client's own tools of this request. */
  readonly clientTools: readonly ToolDefinition[]
  /** It goes on by itself: nobody holds anything for it. */
  readonly isBackground?: boolean
}

/** A parked turn that a request goes on with; nobody else does until it is left. */
export interface ClaimedTurn {
  readonly resumed: ResumedTurn
  readonly opening: Omit<TurnOpening, 'requestId'>
  /** Passes its events, and tells of its end. */
  readonly follow: (events: AsyncGenerator<TurnEvent>) => AsyncGenerator<TurnEvent>
  readonly leave: () => void
}

export interface ChatRouteDeps {
  /** Who asks, as authentication and the headers say; `agent` is the one for plain `drawbridge`. */
  readonly callerOf: (request: FastifyRequest) => Caller
  /** Names of the agents that a caller may use, in the order in which they are listed. */
  readonly agentsOf: (caller: Caller) => readonly string[]
  readonly openTurn: (opening: TurnOpening) => Promise<TurnDeps>
  /** The parked turn whose calls a request answers; undefined where it answers none. */
  readonly claimTurn: (caller: Caller, messages: readonly ChatMessage[]) => Promise<ClaimedTurn | undefined>
  /** Keeps others from going on with a new turn that has begun to wait; call what it gives when it has ended. */
  readonly enterTurn: (caller: Caller, turnId: string) => Promise<() => void>
  /** How a turn stands that had been parked. */
  readonly turnEnd: (tenant: string, id: string) => Promise<JsonObject | undefined>
  /** Ends a turn that is parked, with its approvals; false where there is none. */
  readonly cancelTurn: (tenant: string, id: string) => Promise<boolean>
  /** Aborted when the gateway stops: turns under way end then. */
  readonly closing: AbortSignal
  readonly nowMs: () => number
  /** Default 15 s. */
  readonly heartbeatMs?: number
  /** How long a stream without an event holds its head back; default 10 s. */
  readonly headDelayMs?: number
}
