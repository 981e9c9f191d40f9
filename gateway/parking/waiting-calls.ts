import type { ApprovalDesk } from '../../bridge/approval.ts'
import { pendingOf } from '../../bridge/approving/ask-approval.ts'
import type { CallHold, Wait } from '../../bridge/approving/call-hold.ts'
import type { FrozenCall } from '../../bridge/approving/frozen-call.ts'
import type { SettledCall } from '../../bridge/outcome.ts'
import { CallerLeft } from '../../bridge/parking/caller-left.ts'
import { createQueryMemory } from '../../bridge/surface/query-memory.ts'
import type { HeldCall, SurfaceOptions, ToolSurface } from '../../bridge/surface/tool-surface.ts'
import type { Caller } from '../../catalog/caller.ts'
import type { JsonObject } from '../../catalog/json.ts'
import type { View } from '../../catalog/view.ts'
import { StoreError } from '../store/errors.ts'
import type { LiveWork } from './live-work.ts'
import type { SealedWork } from './sealed-work.ts'
import type { ToldEnds } from './told-ends.ts'

export interface WaitingCallsDeps {
  readonly work: SealedWork
  readonly told: ToldEnds
  readonly live: LiveWork
  readonly desk: Pick<ApprovalDesk, 'park'>
  readonly createSurface: (options: SurfaceOptions) => ToolSurface
  readonly viewFor: (caller: Caller) => View
  /** What is told of a call that has ended. */
  readonly answerOf: (settled: SettledCall) => JsonObject
  readonly holdMs: () => number
  /** The gateway stops: nothing is held any longer. */
  readonly closing: AbortSignal
}

/**
 * Single calls that a client makes over HTTP or MCP, outside of any turn or run: held while the client waits, then parked,
 * and made when somebody has decided.
 */
export interface WaitingCalls {
  /** For a call that its own route makes, as that of `/mcp` does. */
  hold(caller: Caller, holdMs: number): Holding
  /** Makes a call; it ends `waiting` when it is held no longer. */
  make(
    surface: Pick<ToolSurface, 'caller' | 'callHeld'>,
    call: Pick<HeldCall, 'target' | 'args'>,
    signal: AbortSignal,
  ): Promise<SettledCall>
  /** Makes a call that was parked. */
  resume(tenant: string, id: string, signal: AbortSignal): Promise<void>
}

interface KeptCall {
  readonly call: FrozenCall
  readonly caller: Caller
}

export function createWaitingCalls(deps: WaitingCallsDeps): WaitingCalls {
  return {
    hold: (caller, holdMs) => holdOf({ caller, holdMs, hasWaited: false }, deps),
    async make(surface, { target, args }, signal) {
      const held = holdOf({ caller: surface.caller, holdMs: deps.holdMs(), hasWaited: false }, deps)
      const onAbort = (): void => {
        if (signal.reason instanceof CallerLeft) held.park()
      }
      if (signal.aborted) onAbort()
      else signal.addEventListener('abort', onAbort, { once: true })
      try {
        return await toEnd(held, surface.callHeld({ target, args, hold: held.hold }, signal))
      } finally {
        signal.removeEventListener('abort', onAbort)
      }
    },
    async resume(tenant, id, signal) {
      const found = await deps.work.get(tenant, id)
      if (found?.entry.kind !== 'call') return
      const { call, caller }: KeptCall = JSON.parse(found.json)
      const surface = deps.createSurface({ view: deps.viewFor(caller), caller, memory: createQueryMemory() })
      const held = holdOf({ caller, holdMs: 0, hasWaited: true }, deps)
      await toEnd(held, surface.callHeld({ target: { kind: 'frozen', call }, args: {}, hold: held.hold }, signal))
    },
  }
}

/** Keeps one call of a client. */
export interface Holding {
  readonly hold: CallHold
  /** It is held no longer. */
  readonly park: () => void
  /** Told of the call's end, or that it waits. */
  readonly finish: (settled: SettledCall) => Promise<SettledCall>
  /** Nobody is at it any more, also where its end could not be seen. To be called once it is over; safe to call twice. */
  readonly release: () => void
}

async function toEnd(holding: Holding, calling: Promise<SettledCall>): Promise<SettledCall> {
  try {
    return await holding.finish(await calling)
  } finally {
    holding.release()
  }
}

interface Held {
  readonly caller: Caller
  readonly holdMs: number
  /** It was parked before, and somebody may ask how it ended. */
  readonly hasWaited: boolean
}

function holdOf({ caller, holdMs, ...held }: Held, deps: WaitingCallsDeps): Holding {
  const { tenant } = caller
  // Made when it is first asked for, since most calls never wait.
  let parking: AbortController | undefined
  const parkingOf = (): AbortController => (parking ??= new AbortController())
  let timer: NodeJS.Timeout | undefined
  let { hasWaited } = held
  let isLost = false
  let leave: (() => void) | undefined
  const park = (): void => parkingOf().abort()
  const hold: CallHold = {
    async begin({ call, approval }: Wait) {
      if (approval === undefined) throw new TypeError('a client has no tools to give itself')
      hasWaited = true
      if (leave === undefined) {
        const entered = await deps.live.tryEnter(tenant, call.callId)
        if (entered.kind === 'in') leave = entered.leave
      }
      const entry = { tenant, id: call.callId, kind: 'call', approvals: [approval.id], isForClient: false } as const
      await deps.work.put(entry, { call, caller } satisfies KeptCall)
      const pending = pendingOf(approval)
      await deps.told.tell(tenant, call.callId, { callId: call.callId, outcome: 'waiting', pending: [{ ...pending }] })
      if (deps.closing.aborted) park()
      else deps.closing.addEventListener('abort', park, { once: true })
      if (Number.isFinite(holdMs)) timer = setTimeout(park, holdMs)
      return pending
    },
    async end(callId) {
      // One that stood still for too long may have lost it: what the other gateway tells of its end stays.
      isLost = hasWaited && (await isAnothers(tenant, callId, deps))
      if (isLost) throw new StoreError('row-taken', `another gateway on this store is at ${callId}, or has ended it`)
      // From here on its end is not known until it is told.
      if (hasWaited) await deps.told.tell(tenant, callId, { callId, outcome: 'under-way', effect: 'unknown' })
      await deps.work.remove(tenant, callId)
    },
    get parked() {
      return parkingOf().signal
    },
    reachesClient: false,
  }
  return {
    hold,
    park,
    async finish(settled) {
      if (settled.outcome.kind === 'waiting' && 'approval' in settled.outcome.pending) {
        await deps.desk.park(tenant, [settled.outcome.pending.approval])
      } else if (hasWaited && !isLost) await deps.told.tell(tenant, settled.callId, deps.answerOf(settled))
      return settled
    },
    release() {
      clearTimeout(timer)
      deps.closing.removeEventListener('abort', park)
      leave?.()
    },
  }
}

async function isAnothers(tenant: string, id: string, { live, work }: WaitingCallsDeps): Promise<boolean> {
  return (await live.isElsewhere(tenant, id)) || (await work.get(tenant, id)) === undefined
}
