import type { ModelResult } from '../../bridge/presentation/presentation.ts'
import type { RunCall } from '../../bridge/run.ts'
import type { JsonObject } from '../../catalog/json.ts'
import { toolId } from '../../catalog/tool-id.ts'
import type { StepEnd, Usage } from '../providers/provider.ts'
import { wireToolsBytes } from '../providers/wire-tools.ts'
import type { PresentedTools, TurnDeps, TurnFailureCode } from './turn.ts'
import type { KeptRequest } from './turn-state.ts'

interface OuterCall {
  readonly step: number
  readonly callId: string
  readonly name: string
  readonly ms: number
  readonly result: ModelResult
}

/** Writes the session log of one turn and keeps its counts. */
export interface TurnLog {
  started(shown: PresentedTools): void
  stepFinished(step: number, answer: { readonly reason: StepEnd; readonly usage?: Usage; readonly ms: number }): void
  callSettled(call: OuterCall): void
  note(event: string, fields: JsonObject): void
  finished(end: TurnLogEnd, steps: number): void
}

/** `waiting`: it is parked, and goes on in a stretch of its own. */
export type TurnLogEnd = StepEnd | 'waiting' | 'cancelled' | TurnFailureCode | 'defect'

interface Counts {
  searches: number
  describes: number
  calls: number
  finalTool: string | undefined
}

export function createTurnLog(
  request: Pick<KeptRequest, 'id' | 'caller'>,
  deps: Pick<TurnDeps, 'record' | 'nowMs' | 'model'>,
): TurnLog {
  const startMs = deps.nowMs()
  const counts: Counts = { searches: 0, describes: 0, calls: 0, finalTool: undefined }
  const write = (event: string, fields: JsonObject) => {
    deps.record({ event, atMs: deps.nowMs(), turn: request.id, ...fields })
  }
  return {
    started: ({ presentation, figures }) =>
      write('turn-started', {
        agent: request.caller.agent,
        model: deps.model,
        mode: presentation.mode,
        toolsDeclared: presentation.definitions().length,
        toolsBytes: wireToolsBytes(presentation.definitions()),
        ...figures,
      }),
    stepFinished: (step, { reason, usage, ms }) =>
      write('model-step-finished', { step, finishReason: reason, usage: usage ? { ...usage } : null, ms }),
    callSettled: (call) => {
      count(counts, call)
      for (const { event, ...fields } of eventsOf(call)) write(event, fields)
    },
    note: write,
    finished: (end, steps) => {
      const { finalTool, ...sums } = counts
      const finalSource = finalTool === undefined ? undefined : sourceOf(finalTool)
      const final = { ...(finalTool !== undefined && { finalTool }), ...(finalSource !== undefined && { finalSource }) }
      write('turn-finished', { end, steps, ...sums, ...final, ms: Math.max(0, deps.nowMs() - startMs) })
    },
  }
}

function count(counts: Counts, { result }: OuterCall): void {
  if (result.kind === 'client-call') {
    counts.calls += 1
    counts.finalTool = toolId('client', 'client', result.name)
    return
  }
  counts.searches += result.searches
  counts.describes += result.describes
  counts.calls += result.calls.length
  counts.finalTool = result.calls.findLast((call) => call.outcome === 'ok')?.tool ?? counts.finalTool
}

type LogEntry = JsonObject & { readonly event: string }

function eventsOf(call: OuterCall): readonly LogEntry[] {
  const { result, step } = call
  const run = result.kind === 'result' ? result.run : undefined
  const inner = result.kind === 'result' ? result.calls.map((settled) => innerEvent(settled, call)) : []
  const runEvent = run && { event: 'run-finished', step, run: run.id, ...run.telemetry }
  return [...inner, ...(runEvent ? [runEvent] : []), outerEvent(call)]
}

/** A real tool's call: made by a program, or by the model through one of the tools that it was shown. */
function innerEvent(settled: RunCall, call: OuterCall): LogEntry {
  const run = call.result.kind === 'result' ? call.result.run?.id : undefined
  const source = sourceOf(settled.tool)
  return {
    event: 'call-settled',
    step: call.step,
    callId: settled.id,
    tool: settled.tool,
    ...(source !== undefined && { source }),
    outcome: settled.outcome,
    effect: settled.effect,
    ms: settled.ms,
    via: run === undefined ? 'model' : 'program',
    ...(run !== undefined && { run }),
  }
}

/** The source part of a tool id; undefined for what was asked for and is none. */
function sourceOf(tool: string): string | undefined {
  return /^(plugin|mcp|client):/.exec(tool)?.[1]
}

/** The model's own call of a tool that it was shown, whatever that did inside. */
function outerEvent({ step, callId, name, ms, result }: OuterCall): LogEntry {
  const common = { event: 'call-settled', step, callId, tool: name, ms, via: 'shown' }
  if (result.kind === 'client-call') return { ...common, source: 'client', outcome: 'client-tool', effect: 'unknown' }
  const effects = result.calls.map((settled) => settled.effect)
  const effect = effects.find((each) => each === 'unknown') ?? effects.find((each) => each === 'done') ?? 'none'
  return { ...common, source: 'drawbridge', outcome: result.isError ? 'failed' : 'ok', effect }
}
