import { aTool } from '../../catalog/testing/a-tool.ts'
import { anIndex } from '../../catalog/testing/an-index.ts'
import type { Caller } from '../../catalog/caller.ts'
import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import type { Tool, ToolExecute } from '../../catalog/tool.ts'
import type { View } from '../../catalog/view.ts'
import { aView } from '../../catalog/testing/a-view.ts'
import type { ProgramValues } from '../running/answer-operation.ts'
import type { ArtifactStore } from '../artifacts.ts'
import type { Dispatch } from '../dispatcher.ts'
import { createDispatcher } from '../dispatcher.ts'
import type { RegisteredHook } from '../hooks.ts'
import { DEFAULT_LIMITS } from '../isolate/limits.ts'
import type { ProgramHost } from '../isolate/program-host.ts'
import type { WaitingRun } from '../parking/waiting-run.ts'
import { diagnose } from '../program/diagnose.ts'
import { prepareProgram } from '../program/prepare-program.ts'
import { createQueryMemory } from '../surface/query-memory.ts'
import type { Receipt } from '../receipt.ts'
import { createResumeRun } from '../running/resume-run.ts'
import type { Run } from '../run.ts'
import type { RunBusy, RunRequest } from '../running/run-program.ts'
import { createRunProgram } from '../running/run-program.ts'
import type { SurfaceOptions } from '../surface/tool-surface.ts'
import { aCallPath, aHookRunner, anExecuteTool } from './a-call-path.ts'
import { aToolSurface } from './a-tool-surface.ts'
import type { MemoryDesk } from './memory-desk.ts'
import { createMemoryDesk } from './memory-desk.ts'

/** What a tool was given, in the order in which it ran. */
export interface Made {
  readonly tool: string
  readonly args: JsonObject
}

export interface RunWorld {
  readonly desk: MemoryDesk
  readonly made: readonly Made[]
  readonly receipts: readonly Receipt[]
  /** The last that was kept of each run, as it would come out of a store. */
  kept(id: string): WaitingRun
  readonly view: View
  run(source: string, more?: Partial<RunRequest>, signal?: AbortSignal): Promise<Run>
  resume(from: WaitingRun, signal?: AbortSignal): Promise<Run>
}

export interface RunWorldOptions {
  readonly holdMs?: number
  readonly execute?: Readonly<Record<string, ToolExecute>>
  readonly desk?: MemoryDesk
  readonly made?: Made[]
  readonly wallMs?: number
  readonly hooks?: readonly RegisteredHook[]
}

/** When parked approvals are over. */
export const PARKED_UNTIL_MS = 99_000_000

const NO_ARTIFACTS: ArtifactStore = {
  put: () => Promise.reject(new Error('nothing here is too large')),
  read: async () => undefined,
}

/** Of the one run, as those of a caller without a session. */
function valuesOf(_caller: Caller, before: ReadonlyMap<string, JsonValue>): ProgramValues {
  const values = new Map(before)
  return {
    get: async (key) => values.get(key),
    async set(key, value) {
      values.set(key, value)
      return { stored: true, usedBytes: 0 }
    },
  }
}

const CALLER = { tenant: 't', agent: 'default' }

/**
 * For tests: programs over `pay` and `refund`, which have to be asked about, `read`, which has not, and `open_tab`, which
 * only the client can run. What is kept goes through JSON, as in a store.
 */
export function aRunWorld(host: ProgramHost, options: RunWorldOptions = {}): RunWorld {
  const { holdMs = 0, execute = {}, desk = createMemoryDesk(), made = [], wallMs = 5_000, hooks = [] } = options
  const receipts: Receipt[] = []
  const kept = new Map<string, string>()
  const tools = [...['pay', 'refund', 'read'].map((name) => serverTool(name, { execute, made })), clientTool()]
  const { view, byId, index } = viewOf(tools)
  const newId = counter()
  const nextKey = keys()
  const dispatch = aDispatch({ byId, desk, receipts, hooks, newId })
  const common = {
    host,
    prepare: (source: unknown) => prepareProgram(source, { sourceBytes: 10_000 }),
    diagnose,
    artifacts: NO_ARTIFACTS,
    warn: () => {},
    redact: (text: string) => text,
    createSurface: (of: SurfaceOptions) => aToolSurface({ index, dispatch }, of),
    valuesOf,
    keepWaiting: async (run: WaitingRun) => {
      kept.set(run.id, JSON.stringify(run))
    },
    parkApprovals: async (tenant: string, parked: readonly string[]) => {
      await desk.park(tenant, parked)
      return PARKED_UNTIL_MS
    },
    onRunEnded: async () => {},
    now: Date.now,
    // Another one each time, as in life.
    newClientKey: () => nextKey(),
  }
  const runProgram = createRunProgram({
    ...common,
    limits: { ...DEFAULT_LIMITS, wallMs },
    holdMs: () => holdMs,
    newId: () => `run_${newId()}`,
    newSeed: () => 7,
  })
  const resumeRun = createResumeRun(common)
  return {
    desk,
    made,
    receipts,
    kept: (id) => JSON.parse(kept.get(id) ?? 'null'),
    view,
    run: async (source, more = {}, signal = new AbortController().signal) =>
      notBusy(await runProgram({ source, view, caller: CALLER, memory: createQueryMemory(), ...more }, signal)),
    resume: async (from, signal = new AbortController().signal) =>
      notBusy(await resumeRun({ from, view, memory: createQueryMemory() }, signal)),
  }
}

function viewOf(tools: readonly Tool[]) {
  const byId = new Map(tools.map((tool) => [tool.id, tool]))
  const clientTools = tools.filter((tool) => tool.source === 'client')
  const own = tools.filter((tool) => tool.source !== 'client')
  const index = anIndex(tools)
  return { view: aView(own, { index, clientTools }), byId, index }
}

interface DispatchParts {
  readonly byId: ReadonlyMap<string, Tool>
  readonly desk: MemoryDesk
  readonly receipts: Receipt[]
  readonly hooks: readonly RegisteredHook[]
  readonly newId: () => number
}

function aDispatch({ byId, desk, receipts, hooks, newId }: DispatchParts): Dispatch {
  const path = aCallPath({
    current: (id) => byId.get(id),
    decide: (tool) => (tool.name === 'pay' || tool.name === 'refund' ? { kind: 'ask', rule: 'r' } : { kind: 'allow' }),
    hooks: aHookRunner(hooks),
    execute: anExecuteTool({ toolValue: (result) => result.structured ?? textOf(result.content) }),
    desk,
    writeReceipt: async (receipt) => void receipts.push(receipt),
    now: Date.now,
    newId: () => `rc_${newId()}`,
  })
  return createDispatcher(path)
}

function keys(): () => string {
  const next = counter()
  return () => String.fromCharCode(96 + next()).repeat(24)
}

function counter(): () => number {
  let count = 0
  return () => (count += 1)
}

function serverTool(
  name: string,
  { execute, made }: { readonly execute: RunWorldOptions['execute']; readonly made: Made[] },
): Tool {
  return aTool({
    name,
    execute: async (args, context) => {
      made.push({ tool: name, args })
      return (await execute?.[name]?.(args, context)) ?? { content: [], structured: { [name]: args } }
    },
  })
}

function clientTool(): Tool {
  const { execute: _none, ...tool } = aTool({ source: 'client', owner: 'client', name: 'open_tab' })
  return tool
}

function textOf(content: readonly { readonly type: string }[]): string {
  return content.map((block) => ('text' in block ? String(block.text) : '')).join('')
}

function notBusy(run: Run | RunBusy): Run {
  if (run.status === 'busy') throw new Error(run.message)
  return run
}
