import type { Caller } from '../../catalog/caller.ts'
import type { JsonValue } from '../../catalog/json.ts'
import type { View } from '../../catalog/view.ts'
import { answerOperation } from './answer-operation.ts'
import type { ProgramValues } from './answer-operation.ts'
import type { Pending } from '../approval.ts'
import type { ArtifactStore } from '../artifacts.ts'
import type { Operation, ProgramEnd, ProgramHost, ProgramLimits } from '../isolate/program-host.ts'
import type { AskClient } from '../asking/ask-client.ts'
import type { OnProgress } from '../dispatching/call-request.ts'
import { createJournal } from './journal.ts'
import { CallerLeft } from '../parking/caller-left.ts'
import type { RunRecording } from '../parking/run-recording.ts'
import { WaitRoom } from '../parking/wait-room.ts'
import type { WaitingRun } from '../parking/waiting-run.ts'
import type { QueryMemory } from '../surface/query-memory.ts'
import type { Artifact } from '../run.ts'
import { earlierPart } from './earlier-part.ts'
import type { SurfaceOptions, ToolSurface } from '../surface/tool-surface.ts'
import { inThisSpan } from '../trace.ts'
import { valuesSet } from './values-set.ts'

/** One stretch of a run: from its start or from where it was parked, to its end or to where it is parked. */
export interface Stretch {
  readonly id: string
  /** As the model wrote it; undefined where it was no text: such a run has no record. */
  readonly source: string | undefined
  readonly code: string
  readonly caller: Caller
  readonly view: View
  readonly memory: QueryMemory
  readonly start: { readonly seed: number; readonly startMs: number; readonly limits: ProgramLimits }
  readonly turnId?: string
  readonly parentCallId?: string
  readonly onProgress?: OnProgress
  readonly askClient?: AskClient
  /** Whether calls of the client's own tools can leave for it. */
  readonly reachesClient: boolean
  /** Part of the ids of such calls. */
  readonly clientKey: string
  readonly holdMs: number
  /** What it goes on from. */
  readonly from?: WaitingRun
}

export interface StretchDeps {
  readonly host: ProgramHost
  readonly createSurface: (options: SurfaceOptions) => ToolSurface
  /** What programs keep for each other; `before` is what an earlier part of this run has set, for values that die with it. */
  readonly valuesOf: (caller: Caller, before: ReadonlyMap<string, JsonValue>) => ProgramValues
  readonly artifacts: ArtifactStore
  /** Told of a result that could not be kept whole. */
  readonly warn: (message: string, error: unknown) => void
  /** Keeps runs that wait, sealed. */
  readonly keepWaiting: (run: WaitingRun) => Promise<void>
  /** Gives the time until which they wait from now on, Unix milliseconds. */
  readonly parkApprovals: (tenant: string, ids: readonly string[]) => Promise<number>
}

export interface StretchEnd {
  readonly end: ProgramEnd
  readonly surface: ToolSurface
  readonly artifacts: readonly Artifact[]
  /** Absent where it outgrew its bound. */
  readonly recording: RunRecording | undefined
  /** Set where it was parked; it is kept by then. */
  readonly pending?: readonly Pending[]
}

/** Runs a program in an isolate until it ends, or until nothing is left to wait for but people and the client. */
export async function executeProgram(stretch: Stretch, deps: StretchDeps, signal: AbortSignal): Promise<StretchEnd> {
  const running = begin(stretch, deps)
  const { room, surface, artifacts, stop } = running
  const leave = (): void => {
    if (signal.reason instanceof CallerLeft && room.isParkable) room.release()
    else stop.abort(signal.reason)
  }
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  try {
    const end = await runInIsolate(stretch, running, deps)
    // How it ended is settled. Calls that are aborted from here on must not make it look like a run that only waits, which
    // would be parked.
    room.close()
    // Calls that the end aborted still say how they ended; the run's list of calls is then whole.
    await surface.drained()
    const ended = {
      end: running.isOutgrown() ? outgrown(end) : end,
      surface,
      artifacts,
      recording: running.recording(),
    }
    return room.isParked ? { ...ended, pending: await park(stretch, running, deps) } : ended
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

/** What is said of a parked run: from now on the long timeout counts. */
async function park({ caller }: Stretch, { room, snapshot }: Running, deps: StretchDeps): Promise<readonly Pending[]> {
  await deps.keepWaiting(snapshot())
  const pending = room.waits().map((wait) => wait.pending)
  const approvals = pending.flatMap((each) => ('approval' in each ? [each.approval] : []))
  const expiresMs = approvals.length === 0 ? undefined : await deps.parkApprovals(caller.tenant, approvals)
  return pending.map((each) => ('approval' in each && expiresMs !== undefined ? { ...each, expiresMs } : each))
}

/** It was ended by what it had asked for, and not by anybody. */
function outgrown(end: ProgramEnd): ProgramEnd {
  if (end.kind !== 'error') return end
  const message =
    'the answers that the program got are more than can be kept of a run that waits; ask for less, or in an earlier run'
  return { ...end, code: 'limit', message }
}

interface Running {
  readonly room: WaitRoom
  readonly surface: ToolSurface
  readonly artifacts: Artifact[]
  /** Ends the isolate. */
  readonly stop: AbortController
  readonly recording: () => RunRecording | undefined
  readonly snapshot: () => WaitingRun
  /** Its record was too large for a run that waits. */
  readonly isOutgrown: () => boolean
}

function begin(stretch: Stretch, deps: StretchDeps): Running {
  const { id, caller, view, from, source, start, clientKey } = stretch
  // What has no record cannot be gone on with: its calls are held, and it is never parked.
  const isKept = source !== undefined
  const surface = surfaceOf(stretch, deps)
  const artifacts: Artifact[] = [...(from?.earlier.artifacts ?? [])]
  const journal = createJournal()
  const stop = new AbortController()
  let isOutgrown = false
  const reachesClient = stretch.reachesClient && isKept
  const recording = (): RunRecording | undefined => {
    const events = journal.events()?.filter((event) => !(room.isParked && event.kind === 'ended'))
    return events && source !== undefined ? { source, ...start, events } : undefined
  }
  const snapshot = (): WaitingRun => {
    const recorded = recording()
    if (recorded === undefined) throw new Error('the record of the run is too large to keep')
    return {
      id,
      caller,
      ...withinOf(stretch),
      clientTools: view.clientTools,
      reachesClient,
      recording: recorded,
      waits: room.waits(),
      notBegun: room.notBegun(),
      callCount: surface.callCount(),
      earlier: earlierPart(from, { surface, artifacts }),
    }
  }
  const room = new WaitRoom({
    journal,
    holdMs: isKept ? stretch.holdMs : Number.POSITIVE_INFINITY,
    callsInFlight: start.limits.callsInFlight,
    reachesClient,
    clientKey,
    before: from?.waits,
    keep: async () => (isKept ? deps.keepWaiting(snapshot()) : undefined),
    onPark: () => stop.abort(new Error('the run is parked')),
    onOutgrown() {
      isOutgrown = true
      stop.abort(new Error('the record of the run is too large to keep'))
    },
  })
  return { room, surface, artifacts, stop, recording, snapshot, isOutgrown: () => isOutgrown }
}

function surfaceOf(stretch: Stretch, deps: StretchDeps): ToolSurface {
  const { id, caller, view, memory, from, onProgress, askClient } = stretch
  return deps.createSurface({
    view,
    caller,
    memory,
    runId: id,
    callCount: from?.callCount ?? 0,
    ...withinOf(stretch),
    ...(onProgress && { onProgress }),
    ...(askClient && { askClient }),
  })
}

/** The turn and the call that the run belongs to. */
function withinOf({ turnId, parentCallId }: Stretch): Pick<Stretch, 'turnId' | 'parentCallId'> {
  return { ...(turnId !== undefined && { turnId }), ...(parentCallId !== undefined && { parentCallId }) }
}

function runInIsolate(stretch: Stretch, running: Running, deps: StretchDeps): Promise<ProgramEnd> {
  const { id, caller, code, start, from } = stretch
  const { room, surface, artifacts, stop } = running
  const answering = {
    surface,
    values: deps.valuesOf(caller, valuesSet(from?.recording.events ?? [])),
    artifacts: deps.artifacts,
    warn: deps.warn,
    onArtifact: (artifact: Artifact) => artifacts.push(artifact),
    resultIntoIsolateBytes: start.limits.resultIntoIsolateBytes,
  }
  const again = from && [...from.waits.map((wait) => wait.operation), ...from.notBegun]
  return deps.host.run(
    {
      runId: id,
      tenant: caller.tenant,
      code,
      ...start,
      answer: inThisSpan((operation: Operation, operationId: number, signal: AbortSignal) => {
        const held = room.begin(operationId)
        return answerOperation(operation, { ...answering, held }, signal)
      }),
      onClock: (clock) => room.startClock(clock),
      record: (event) => room.record(event),
      ...(from && again && { replay: { events: from.recording.events, afterLast: 'live' as const, again } }),
    },
    stop.signal,
  )
}
