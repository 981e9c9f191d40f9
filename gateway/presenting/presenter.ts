import type { OnProgress } from '../../bridge/dispatching/call-request.ts'
import { createCodePresentation } from '../../bridge/presentation/code.ts'
import { createDirectPresentation, definitionOf } from '../../bridge/presentation/direct.ts'
import type { CallHold } from '../../bridge/approving/call-hold.ts'
import type { AskClient } from '../../bridge/asking/ask-client.ts'
import type { CallWaiting, Mode, ModelCall, Presentation } from '../../bridge/presentation/presentation.ts'
import type { ToolsDeps } from '../../bridge/presentation/tools.ts'
import { createToolsPresentation } from '../../bridge/presentation/tools.ts'
import type { QueryMemory } from '../../bridge/surface/query-memory.ts'
import type { Run } from '../../bridge/run.ts'
import type { RunProgram, RunRequest } from '../../bridge/running/run-program.ts'
import type { SurfaceOptions, ToolSurface } from '../../bridge/surface/tool-surface.ts'
import type { Caller } from '../../catalog/caller.ts'
import { asProgram } from '../../catalog/caller.ts'
import type { JsonObject } from '../../catalog/json.ts'
import type { Tool } from '../../catalog/tool.ts'
import type { View } from '../../catalog/view.ts'
import type { Verdict } from '../../policy/decide.ts'
import type { PresentedTools } from '../turn/turn.ts'
import { wireTools } from '../providers/wire-tools.ts'
import { guardClientCalls } from './guard-client-calls.ts'

export interface PresentRequest {
  readonly caller: Caller
  readonly clientTools: readonly Tool[]
  /** Of the turn: which searches led to which calls. */
  readonly memory: QueryMemory
  /** Told of the steps of calls that take long. */
  readonly onProgress?: OnProgress
  /** Where the questions of running tools go first. */
  readonly askClient?: AskClient
  /** Keeps a call that waits, where no turn does. */
  readonly hold?: CallHold
  /** Told of approvals that calls of a program wait for, where no turn is. */
  readonly onRunWaiting?: (runId: string, approvals: readonly string[]) => void
}

export interface PresenterDeps {
  readonly viewFor: (caller: Caller, clientTools: readonly Tool[]) => View
  readonly createSurface: (options: SurfaceOptions) => ToolSurface
  /** Mode in force for a caller: what is configured, unless no worker can start or policy denies it the search. */
  readonly mode: (caller: Caller) => Mode
  readonly decide: (tool: Tool, caller: Caller, input: JsonObject) => Verdict
  readonly runProgram: RunProgram
  readonly runText: (run: Run) => string
  readonly readCallForm: ToolsDeps['readCallForm']
  readonly callText: ToolsDeps['callText']
  readonly answerText: ToolsDeps['answerText']
}

export interface Presented extends PresentedTools {
  readonly view: View
}

export interface Presenter {
  /** For one model step: the view of this moment in the mode of this moment. */
  present(request: PresentRequest): Presented
}

export function createPresenter(deps: PresenterDeps): Presenter {
  const directBytesOf = createByteCount()
  return {
    present(request) {
      const view = deps.viewFor(request.caller, request.clientTools)
      return {
        presentation: guardClientCalls(presentationOf(view, request, deps), view, (tool, input) =>
          deps.decide(tool, request.caller, input),
        ),
        view,
        // Only the first step of a turn has a use for them, and a call over MCP none.
        get figures() {
          return {
            catalogSize: view.tools.length,
            sources: { ...view.countBySource },
            directTools: view.tools.length,
            directBytes: directBytesOf(view),
          }
        },
      }
    },
  }
}

function presentationOf(view: View, request: PresentRequest, deps: PresenterDeps): Presentation {
  const { caller, clientTools, memory, onProgress, askClient, hold, onRunWaiting } = request
  const told = { ...(onProgress && { onProgress }), ...(askClient && { askClient }) }
  const createSurface = ({ id, waiting }: ModelCall): ToolSurface => {
    const keeping = waiting ? { turnId: waiting.turnId, hold: waiting.hold } : hold && { hold }
    return deps.createSurface({ view, caller, memory, parentCallId: id, ...keeping, ...told })
  }
  const mode = deps.mode(caller)
  switch (mode) {
    case 'code': {
      // Made now: what a program sees is what its model was shown.
      const programView = deps.viewFor(asProgram(caller), clientTools)
      return createCodePresentation({
        view,
        run: (source, { id, waiting }, signal) => {
          const program = { source, view: programView, caller, memory, parentCallId: id, ...told }
          const kept = waiting ? keptBy(waiting) : onRunWaiting && { onWaiting: tellApprovals(onRunWaiting) }
          return deps.runProgram({ ...program, ...kept }, signal)
        },
        runText: deps.runText,
      })
    }
    case 'tools':
      return createToolsPresentation({ ...deps, view, createSurface })
    case 'direct':
      return createDirectPresentation({ view, createSurface, callText: deps.callText })
  }
}

/** A program's run is kept by the turn, and may give the client calls of its own tools. */
function keptBy({ turnId, onRunWaiting }: CallWaiting): Pick<RunRequest, 'turnId' | 'reachesClient' | 'onWaiting'> {
  return { turnId, reachesClient: true, onWaiting: onRunWaiting }
}

function tellApprovals(tell: NonNullable<PresentRequest['onRunWaiting']>): NonNullable<RunRequest['onWaiting']> {
  return async (runId, pending) =>
    tell(
      runId,
      pending.flatMap((each) => ('approval' in each ? [each.approval] : [])),
    )
}

/** Bytes of the `tools` array that `direct` would send; each tool is measured once in its life. */
function createByteCount(): (view: View) => number {
  const byTool = new WeakMap<Tool, number>()
  const measure = (tool: Tool): number => {
    const known = byTool.get(tool)
    if (known !== undefined) return known
    const bytes = Buffer.byteLength(JSON.stringify(wireTools([definitionOf(tool)]))) - '[]'.length
    byTool.set(tool, bytes)
    return bytes
  }
  return ({ tools }) => {
    const commas = Math.max(0, tools.length - 1)
    return tools.length === 0 ? 0 : tools.reduce((sum, tool) => sum + measure(tool), '[]'.length + commas)
  }
}
