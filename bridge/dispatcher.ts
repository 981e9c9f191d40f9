import type { Span } from '@opentelemetry/api'
import { SpanStatusCode } from '@opentelemetry/api'
import type { JsonObject } from '../catalog/json.ts'
import { hashJson } from '../catalog/json.ts'
import type { Tool } from '../catalog/tool.ts'
import type { FrozenCall } from './approving/frozen-call.ts'
import type { Admission } from './dispatching/admit-call.ts'
import { admitCall, requestedText, toolEvent } from './dispatching/admit-call.ts'
import type { CallRequest, DispatcherDeps } from './dispatching/call-request.ts'
import type { MadeCall } from './dispatching/make-call.ts'
import { makeCall } from './dispatching/make-call.ts'
import type { SettledCall } from './outcome.ts'
import type { Receipt } from './receipt.ts'
import { inSpan } from './trace.ts'
import { unseenEffect } from './unseen-effect.ts'

export type { CallRequest, CallTarget, DispatcherDeps, Validation } from './dispatching/call-request.ts'

/** The one path of every call, whatever its way in. Expected endings are outcomes; it rejects on defects only. */
export type Dispatch = (request: CallRequest, signal: AbortSignal) => Promise<SettledCall>

export function createDispatcher(deps: DispatcherDeps): Dispatch {
  return async (request, signal) => {
    const startedMs = deps.now()
    const attributes = { 'gen_ai.operation.name': 'execute_tool', 'drawbridge.call.id': request.callId }
    return inSpan('execute_tool', attributes, async (span) => {
      const receiptId = request.target.kind === 'frozen' ? request.target.call.receiptId : deps.newId()
      const admission = await admitCall(request, deps, signal)
      const inputHash = admission.kind === 'admitted' ? hashOnce(admission.input) : undefined
      const begun = { request, admission, inputHash, receiptId, startedMs }
      const made: MadeCall =
        admission.kind === 'admitted'
          ? await makeAdmitted({ ...begun, admission }, deps, signal)
          : await refused(request, admission, deps)
      const ended = { ...begun, made, ms: Math.max(0, deps.now() - startedMs) }
      const settled = settle(ended)
      const { outcome } = made
      describeCall(span, settled)
      // It has not ended yet: its `after_tool_call` hooks and its receipt come when it is made later.
      if (outcome.kind === 'waiting') return settled
      if (admission.kind === 'admitted' && made.wasMade) {
        const event = toolEvent(request, admission.tool, admission.input)
        await deps.hooks.after(admission.tool, { ...event, outcome, ms: settled.ms })
      }
      await deps.writeReceipt(receiptOf(ended, deps))
      return settled
    })
  }
}

/** By the GenAI and MCP conventions. What was asked for and is no tool names nothing: models make up names without end. */
function describeCall(span: Span, { toolId, outcome }: SettledCall): void {
  if (!span.isRecording()) return
  span.setAttribute('drawbridge.outcome', outcome.kind)
  if (toolId !== undefined) {
    span.updateName(`execute_tool ${toolId}`)
    span.setAttribute('gen_ai.tool.name', toolId)
    if (toolId.startsWith('mcp:')) span.setAttribute('mcp.method.name', 'tools/call')
  }
  if (outcome.kind === 'ok' || outcome.kind === 'waiting') return
  span.setAttribute('error.type', outcome.kind === 'failed' ? 'tool_error' : outcome.kind)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

function hashOnce(input: JsonObject): () => string {
  let known: string | undefined
  return () => (known ??= hashJson(input))
}

function makeAdmitted(begun: Begun & { readonly admission: AdmittedOne }, deps: DispatcherDeps, signal: AbortSignal) {
  const { request, admission, receiptId } = begun
  const frozen = freeze(request, admission, receiptId)
  const onUnderWay = (approval: string | undefined): void =>
    note({ ...begun, made: lostCall(admission.tool, approval), ms: 0 }, deps)
  return makeCall({ request, admission, frozen, onUnderWay }, deps, signal)
}

/** How a call ended whose end nobody saw. */
function lostCall(tool: Tool, approval: string | undefined): MadeCall {
  const message = 'the process that made it ended'
  const outcome = { kind: 'failed', message, effect: unseenEffect(tool) } as const
  return { outcome, wasMade: true, ...(approval !== undefined && { approval }) }
}

/**
 * Written down before the tool is given the call, in the same turn of the event loop. One turn later would save 30 µs, but
 * on a busy machine a quarter of the calls that a kill cut off then left no receipt.
 */
function note(lost: Ended, deps: DispatcherDeps): void {
  const { noteReceipt, warn } = deps
  noteReceipt(receiptOf(lost, deps)).catch((error: unknown) => {
    warn(`call ${lost.request.callId} leaves no receipt should the process end with it`, error)
  })
}

/** Everything that making the call later needs. */
function freeze(
  { callId, target }: CallRequest,
  { tool, input, question, notices, hooks }: AdmittedOne,
  receiptId: string,
): FrozenCall {
  const of = { callId, receiptId, requested: requestedText(target), toolId: tool.id, schemaHash: tool.schemaHash }
  return { ...of, input, notices, hooks, ...(question && { question }) }
}

/** A call that had waited and may no longer be made is taken off what waits, and its approval is cancelled with it. */
async function refused(
  request: CallRequest,
  { outcome }: Extract<Admission, { kind: 'refused' }>,
  deps: DispatcherDeps,
): Promise<MadeCall> {
  const { hold, callId, target, caller } = request
  await hold?.end(callId)
  const approval = target.kind === 'frozen' ? target.call.approval : undefined
  if (approval === undefined) return { outcome, wasMade: false }
  const why = outcome.kind === 'ok' || outcome.kind === 'waiting' ? 'the call cannot be made any more' : outcome.message
  await deps.desk.cancel(caller.tenant, [approval], why)
  return { outcome, wasMade: false, approval }
}

type AdmittedOne = Extract<Admission, { kind: 'admitted' }>

interface Begun {
  readonly request: CallRequest
  readonly admission: Admission
  readonly inputHash: (() => string) | undefined
  readonly receiptId: string
  readonly startedMs: number
}

interface Ended extends Begun {
  readonly made: MadeCall
  readonly ms: number
}

function settle({ request, admission, made, receiptId, ms }: Ended): SettledCall {
  return {
    callId: request.callId,
    requested: requestedText(request.target),
    outcome: made.outcome,
    notices: admission.notices,
    ms,
    receiptId,
    ...(admission.tool && { toolId: admission.tool.id }),
  }
}

function receiptOf(ended: Ended, deps: DispatcherDeps): Receipt {
  const { request, admission, made, inputHash, receiptId, startedMs, ms } = ended
  const { caller } = request
  const query = admission.tool === undefined ? undefined : request.queryFor?.(admission.tool.id)
  return {
    id: receiptId,
    tenant: caller.tenant,
    callId: request.callId,
    agent: caller.agent,
    requested: requestedText(request.target),
    catalogRevision: request.view.revision,
    outcome: made.outcome.kind,
    effect: made.outcome.effect,
    startedMs,
    ms,
    ...(request.runId !== undefined && { runId: request.runId }),
    ...(made.approval !== undefined && { approval: made.approval }),
    ...(query !== undefined && { query: deps.redact(query) }),
    ...(caller.session !== undefined && { session: caller.session }),
    ...(admission.tool && { toolId: admission.tool.id, schemaHash: admission.tool.schemaHash }),
    ...(inputHash && { inputHash: inputHash() }),
  }
}
