import { randomUUID } from 'node:crypto'
import type { Caller } from '../../../catalog/caller.ts'
import { resumeTurn, runTurn } from '../../turn/run-turn.ts'
import type { TurnEvent, TurnRequest } from '../../turn/turn.ts'
import type { ChatRequest } from './reading/chat-request.ts'
import type { ChatRouteDeps, ClaimedTurn } from './chat-route-deps.ts'

export interface ChatTurn {
  readonly chat: ChatRequest
  readonly caller: Caller
  readonly requestId: string
}

/** The turn that a request begins, or the parked one that it goes on with. */
export async function openChatTurn(
  turn: ChatTurn,
  deps: ChatRouteDeps,
  signal: AbortSignal,
): Promise<{ readonly turnId: string; readonly events: AsyncGenerator<TurnEvent> }> {
  const claimed = await deps.claimTurn(turn.caller, turn.chat.messages)
  if (claimed !== undefined) return goOn(claimed, { turn, deps }, signal)
  const { chat, caller, requestId } = turn
  const turnId = randomUUID()
  const { clientTools } = chat
  const turnDeps = await deps.openTurn({ caller, turnId, requestId, clientTools })
  const leave = await deps.enterTurn(caller, turnId)
  return { turnId, events: leaving(runTurn(turnRequest(chat, caller, turnId), turnDeps, signal), leave) }
}

interface Opening {
  readonly turn: ChatTurn
  readonly deps: ChatRouteDeps
}

async function goOn(
  { resumed, opening, follow, leave }: ClaimedTurn,
  { turn, deps }: Opening,
  signal: AbortSignal,
): Promise<{ readonly turnId: string; readonly events: AsyncGenerator<TurnEvent> }> {
  try {
    const { clientTools } = turn.chat
    // A client may bring its tools with each request; one that does not still has those of before.
    const tools = clientTools.length > 0 ? { clientTools } : {}
    const turnDeps = await deps.openTurn({ ...opening, ...tools, requestId: turn.requestId })
    return { turnId: opening.turnId, events: leaving(follow(resumeTurn(resumed, turnDeps, signal)), leave) }
  } catch (error) {
    leave()
    throw error
  }
}

async function* leaving(
  events: AsyncGenerator<TurnEvent>,
  leave: () => void,
): AsyncGenerator<TurnEvent, void, undefined> {
  try {
    yield* events
  } finally {
    leave()
  }
}

function turnRequest(chat: ChatRequest, caller: Caller, id: string): TurnRequest {
  return {
    id,
    caller,
    messages: chat.messages,
    clientTools: chat.clientTools.map((tool) => tool.name),
    parameters: chat.parameters,
    ...(chat.toolChoice !== undefined && { toolChoice: chat.toolChoice }),
  }
}
