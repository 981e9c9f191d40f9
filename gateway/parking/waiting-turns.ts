import type { Caller } from '../../catalog/caller.ts'
import type { ToolDefinition } from '../../catalog/tool.ts'
import type { ChatMessage } from '../providers/provider.ts'
import type { Store } from '../store/store.ts'
import type { WaitingEntry } from '../store/waiting-store.ts'
import { clientKeyOf } from '../turn/history/call-ids.ts'
import type { ResumedTurn } from '../turn/steps/resume-step.ts'
import { callsForClient } from '../turn/steps/step-messages.ts'
import type { TurnState } from '../turn/turn-state.ts'
import { pendingOfStep } from '../turn/turn-state.ts'
import { TURN_POINTER_MAX_BYTES } from './limits.ts'
import type { SealedWork } from './sealed-work.ts'

/** A turn with what opening it again needs. */
export interface WaitingTurn {
  readonly state: TurnState
  readonly caller: Caller
  readonly clientTools: readonly ToolDefinition[]
}

export interface WaitingTurns {
  keep(turn: WaitingTurn): Promise<void>
  get(tenant: string, id: string): Promise<WaitingTurn | undefined>
  remove(tenant: string, id: string): Promise<void>
  /** The turn that a request's last tool messages answer. */
  findFor(tenant: string, messages: readonly ChatMessage[]): Promise<string | undefined>
}

export function createWaitingTurns({
  work,
  store,
}: {
  readonly work: SealedWork
  readonly store: Pick<Store, 'getValue' | 'setValue'>
}): WaitingTurns {
  return {
    async keep(turn) {
      const { id, caller } = turn.state.request
      await work.put(entryOf(turn), turn)
      for (const key of turn.state.clientKeys) {
        const entry = { tenant: caller.tenant, session: spaceOf(key), key: 'turn', value: id }
        await store.setValue(entry, TURN_POINTER_MAX_BYTES)
      }
    },
    async get(tenant, id) {
      const found = await work.get(tenant, id)
      if (found?.entry.kind !== 'turn') return undefined
      const turn: WaitingTurn = JSON.parse(found.json)
      return turn
    },
    remove: (tenant, id) => work.remove(tenant, id),
    async findFor(tenant, messages) {
      for (const { tool_call_id: callId } of lastResults(messages)) {
        const key = clientKeyOf(callId)
        const id = key === undefined ? undefined : await store.getValue(tenant, spaceOf(key), 'turn')
        if (typeof id === 'string') return id
      }
      return undefined
    },
  }
}

/** What a request brings to a turn that its last tool messages answer. */
export function broughtBy(
  messages: readonly ChatMessage[],
  { clientKeys }: TurnState,
): Pick<ResumedTurn, 'results' | 'added'> {
  const isOurs = (id: string): boolean => clientKeys.some((key) => key === clientKeyOf(id))
  const after = messages.slice(messages.findLastIndex((message) => message.role === 'assistant') + 1)
  return {
    results: lastResults(messages).filter((message) => isOurs(message.tool_call_id)),
    added: after.filter((message) => message.role === 'user'),
  }
}

type ToolMessage = Extract<ChatMessage, { role: 'tool' }>

function lastResults(messages: readonly ChatMessage[]): readonly ToolMessage[] {
  const after = messages.slice(messages.findLastIndex((message) => message.role === 'assistant') + 1)
  return after.flatMap((message) => (message.role === 'tool' ? [message] : []))
}

function entryOf({ state }: WaitingTurn): WaitingEntry {
  const { id, caller } = state.request
  const pending = pendingOfStep(state.step)
  return {
    tenant: caller.tenant,
    id,
    kind: 'turn',
    approvals: pending.flatMap((each) => ('approval' in each ? [each.approval] : [])),
    isForClient: callsForClient(state.request, state.step?.calls ?? []).length > 0,
  }
}

/** Begins the spaces in which keys lead to turns; their values are dropped some day. */
export const TURN_POINTER_SPACE = 'turn-of:'

function spaceOf(key: string): string {
  return `${TURN_POINTER_SPACE}${key}`
}
