import { setTimeout as sleep } from 'node:timers/promises'
import type { SettledCall } from '../../bridge/outcome.ts'
import { callResult } from '../../bridge/presentation/call-result.ts'
import type { ModelResult } from '../../bridge/presentation/presentation.ts'
import { runResult } from '../../bridge/presentation/run-result.ts'
import { createQueryMemory } from '../../bridge/surface/query-memory.ts'
import type { Run } from '../../bridge/run.ts'
import type { RunBusy } from '../../bridge/running/run-program.ts'
import type { SurfaceOptions, ToolSurface } from '../../bridge/surface/tool-surface.ts'
import type { Caller } from '../../catalog/caller.ts'
import type { JsonObject } from '../../catalog/json.ts'
import { clientTools as toolsOf } from '../../catalog/sources/client.ts'
import type { Tool, ToolDefinition } from '../../catalog/tool.ts'
import type { View } from '../../catalog/view.ts'
import type { TurnKeeper } from '../turn/turn-keeper.ts'
import type { TurnState } from '../turn/turn-state.ts'
import { pendingOfStep } from '../turn/turn-state.ts'
import { RETRY_MS } from './limits.ts'
import type { ToldEnds } from './told-ends.ts'
import type { WaitingRuns } from './waiting-runs.ts'
import type { WaitingTurns } from './waiting-turns.ts'

export interface TurnKeeperDeps {
  readonly turns: WaitingTurns
  readonly runs: Pick<WaitingRuns, 'answer'>
  readonly told: ToldEnds
  readonly parkApprovals: (tenant: string, ids: readonly string[]) => Promise<number>
  readonly resumeRun: (tenant: string, id: string, signal: AbortSignal) => Promise<Run | RunBusy | undefined>
  readonly createSurface: (options: SurfaceOptions) => ToolSurface
  readonly viewFor: (caller: Caller, clientTools: readonly Tool[]) => View
  readonly runText: (run: Run) => string
  readonly callText: (settled: SettledCall) => string
  readonly holdMs: () => number
}

/** The turn that is kept. */
export interface KeptTurn {
  readonly turnId: string
  readonly caller: Caller
  readonly clientTools: readonly ToolDefinition[]
  /** It goes on by itself, and nobody holds anything for it. */
  readonly isBackground: boolean
}

export function createTurnKeeper(turn: KeptTurn, deps: TurnKeeperDeps): TurnKeeper {
  const { turnId, caller, clientTools, isBackground } = turn
  const { tenant } = caller
  return {
    holdMs: () => (isBackground ? 0 : deps.holdMs()),
    async keep(state) {
      await deps.turns.keep({ state, caller, clientTools })
      if (state.isParked) await deps.told.tell(tenant, turnId, waitingTurn(state))
    },
    forget: () => deps.turns.remove(tenant, turnId),
    park: (approvals) => deps.parkApprovals(tenant, approvals),
    async resumeRun(id, signal) {
      const run = await untilNotBusy(() => deps.resumeRun(tenant, id, signal), signal)
      return run === undefined ? lostRun(id) : runResult(run, deps.runText(run))
    },
    async makeCall(call, { parentCallId, hold }, signal) {
      const brought = toolsOf(clientTools)
      const of = { view: deps.viewFor(caller, brought), caller, memory: createQueryMemory(), turnId, parentCallId }
      const settled = await deps
        .createSurface(of)
        .callHeld({ target: { kind: 'frozen', call }, args: {}, hold }, signal)
      return callResult(settled, () => deps.callText(settled))
    },
    answerRun: async (id, answers) => void (await deps.runs.answer(tenant, id, answers)),
  }
}

/** What `GET /v1/turns/{id}` says of a turn that waits. */
function waitingTurn({ request, step }: TurnState): JsonObject {
  const { id, caller } = request
  const session = caller.session === undefined ? {} : { session: caller.session }
  return { id, ...session, status: 'waiting', pending: pendingOfStep(step).map((each) => ({ ...each })) }
}

/** It has taken long enough already: a busy machine is waited for. */
async function untilNotBusy(
  attempt: () => Promise<Run | RunBusy | undefined>,
  signal: AbortSignal,
): Promise<Run | undefined> {
  for (;;) {
    const run = await attempt()
    if (run?.status !== 'busy') return run
    await sleep(RETRY_MS, undefined, { signal })
  }
}

function lostRun(id: string): ModelResult {
  const text = `the run ${id} of this program is gone; whether its calls took effect is not known`
  return { kind: 'result', text, isError: true, searches: 0, describes: 0, calls: [] }
}
