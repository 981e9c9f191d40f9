import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../../catalog/caller.ts'
import type { ToolDefinition } from '../../../catalog/tool.ts'
import type { TurnDeps } from '../../turn/turn.ts'

/** What a turn is made for; whoever opens it resolves the agent's model, view and session. */
export interface TurnOpening {
  /** With the agent and the session of this request. */
  readonly caller: Caller
  readonly turnId: string
  readonly requestId: string
  /** The client's own tools of this request. */
  readonly clientTools: readonly ToolDefinition[]
}

export interface ChatRouteDeps {
  /** Who asks, as authentication and the headers say; `agent` is the one for plain `drawbridge`. */
  readonly callerOf: (request: FastifyRequest) => Caller
  /** Names of the agents that a caller may use, in the order in which they are listed. */
  readonly agentsOf: (caller: Caller) => readonly string[]
  readonly openTurn: (opening: TurnOpening) => Promise<TurnDeps>
  /** Aborted when the gateway stops: turns under way end then. */
  readonly closing: AbortSignal
  readonly nowMs: () => number
  /** Default 15 s. */
  readonly heartbeatMs?: number
  /** How long a stream without an event holds its head back; default 10 s. */
  readonly headDelayMs?: number
}
