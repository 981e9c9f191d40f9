import type { Caller } from '../catalog/caller.ts'
import type { JsonObject, JsonValue } from '../catalog/json.ts'
import { hashJson } from '../catalog/json.ts'
import { TOOL_ID_MAX_LENGTH } from '../catalog/limits.ts'
import type { Tool, ToolExecute } from '../catalog/tool.ts'
import type { Resolution, View } from '../catalog/view.ts'
import type { Verdict } from '../policy/decide.ts'
import type { BeforeToolCallEvent, HookRunner } from './hooks.ts'
import type { ExecuteTool } from './execute-tool.ts'
import { ambiguousTool, clientTool, denied, goneTool, invalidInput, staleTool, unknownTool } from './refusals.ts'
import type { InputProblem, Notice, Outcome, SettledCall } from './outcome.ts'
import type { Receipt, WriteReceipt } from './receipt.ts'
import { inSpan } from './trace.ts'

/** What a caller asked for, not yet looked at. */
export type CallTarget =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'path'; readonly owner: string; readonly name: string }

export interface CallRequest {
  /** Unique; `<run>/<n>` for the calls of a program. */
  readonly callId: string
  readonly target: CallTarget
  /** Hostile until validated. */
  readonly args: JsonValue
  readonly view: View
  readonly caller: Caller
  readonly runId?: string
  /** The search of the same turn that had found a tool. */
  readonly queryFor?: (toolId: string) => string | undefined
  /** Runs the admitted tool in the place of its own way: the same tool, over a connection that is the caller's alone. */
  readonly execute?: ToolExecute
}

export interface DispatcherDeps {
  /** The tool as it is registered now: views are immutable, the world is not. */
  readonly current: (id: string) => Tool | undefined
  /** Policy in force now, for this caller and the final input. */
  readonly decide: (tool: Tool, caller: Caller, input: JsonObject) => Verdict
  readonly repair: (args: JsonValue, tool: Tool) => { readonly args: JsonValue; readonly notices: readonly Notice[] }
  readonly validate: (tool: Tool, args: JsonValue) => Validation
  readonly signature: (tool: Tool) => string
  readonly hooks: HookRunner
  readonly execute: ExecuteTool
  readonly writeReceipt: WriteReceipt
  readonly redact: (text: string) => string
  readonly now: () => number
  readonly newId: () => string
}

export type Validation =
  | { readonly kind: 'valid'; readonly value: JsonObject }
  | { readonly kind: 'invalid'; readonly problems: readonly InputProblem[] }

/** The one path of every call, whatever its way in. Expected endings are outcomes; it rejects on defects only. */
export type Dispatch = (request: CallRequest, signal: AbortSignal) => Promise<SettledCall>

/** A call that may run: what was checked is exactly what runs. */
interface Admitted {
  readonly kind: 'admitted'
  readonly tool: Tool
  readonly input: JsonObject
}

interface Refused {
  readonly kind: 'refused'
  readonly tool?: Tool
  readonly outcome: Outcome
}

type Admission = (Admitted | Refused) & { readonly notices: readonly Notice[] }

export function createDispatcher(deps: DispatcherDeps): Dispatch {
  return async (request, signal) => {
    const startedMs = deps.now()
    return inSpan('execute_tool', { 'drawbridge.call.id': request.callId }, async (span) => {
      const admission = await admit(request, deps, signal)
      const outcome =
        admission.kind === 'admitted'
          ? await deps.execute({ ...executed(admission, request), callId: request.callId, caller: request.caller }, signal)
          : admission.outcome
      const settled = settle(request, { admission, outcome, startedMs }, deps)
      if (admission.kind === 'admitted') await runAfterHooks(request, { admission, settled }, deps)
      await deps.writeReceipt(receiptOf(request, { admission, settled, startedMs }, deps))
      span.setAttributes({ 'gen_ai.tool.name': settled.toolId ?? '', 'drawbridge.outcome': outcome.kind })
      if (outcome.kind === 'failed') span.setAttribute('error.type', 'tool_error')
      return settled
    })
  }
}

function executed(admission: Admitted, { execute }: CallRequest): Admitted {
  return execute === undefined ? admission : { ...admission, tool: { ...admission.tool, execute } }
}

/** Resolve, repair, validate, hooks, validate again, policy: in the order in which each must hold. */
async function admit(request: CallRequest, deps: DispatcherDeps, signal: AbortSignal): Promise<Admission> {
  const resolution = resolve(request)
  if (resolution.kind === 'unknown') return refuse(unknownTool(requestedText(request.target), resolution.suggestions))
  if (resolution.kind === 'ambiguous') return refuse(ambiguousTool(requestedText(request.target), resolution.ids))
  const seen = resolution.tool
  if (seen.execute === undefined) return refuse(clientTool(seen), seen)
  const { args, notices } = deps.repair(request.args, seen)
  // Before the hooks too: a plugin's handler is never shown input that the tool could not have been given.
  const asked = deps.validate(seen, args)
  if (asked.kind === 'invalid') return refuse(invalidInput(seen, asked.problems, deps.signature(seen)), seen, notices)
  const event = eventOf(request, seen, asked.value)
  const verdict = await deps.hooks.before(seen, event, signal)
  if (verdict.kind === 'block') return refuse(denied(seen, deps.redact(verdict.reason)), seen, notices)
  return admitFinal({ request, seen, input: verdict.input, notices }, deps)
}

interface FinalInput {
  readonly request: CallRequest
  readonly seen: Tool
  readonly input: JsonObject
  readonly notices: readonly Notice[]
}

/** Against the catalog and the policy of this moment: either may have changed since the program was given its view. */
function admitFinal({ request, seen, input, notices }: FinalInput, deps: DispatcherDeps): Admission {
  const tool = deps.current(seen.id)
  if (tool === undefined) return refuse(goneTool(seen), seen, notices)
  const checked = deps.validate(tool, input)
  if (checked.kind === 'invalid') {
    if (tool.schemaHash !== seen.schemaHash) {
      const signatures = { before: deps.signature(seen), now: deps.signature(tool) }
      return refuse(staleTool(tool, signatures), tool, notices)
    }
    return refuse(invalidInput(tool, checked.problems, deps.signature(tool)), tool, notices)
  }
  const verdict = deps.decide(tool, request.caller, checked.value)
  if (verdict.kind === 'deny') return refuse(denied(tool, 'policy does not allow it any more'), tool, notices)
  // Fails closed: nobody is there to be asked.
  if (verdict.kind === 'ask') return refuse(denied(tool, `it needs an approval (${verdict.rule})`), tool, notices)
  return { kind: 'admitted', tool, input: checked.value, notices }
}

function resolve({ target, view }: CallRequest): Resolution {
  if (target.kind === 'path') return view.resolvePath(target.owner, target.name)
  if (target.text.length > TOOL_ID_MAX_LENGTH) return { kind: 'unknown', suggestions: [] }
  return view.resolve(target.text)
}

function refuse(outcome: Outcome, tool?: Tool, notices: readonly Notice[] = []): Admission {
  return { kind: 'refused', outcome, notices, ...(tool && { tool }) }
}

function requestedText(target: CallTarget): string {
  const text = target.kind === 'text' ? target.text : `tools.${target.owner}.${target.name}`
  return text.slice(0, TOOL_ID_MAX_LENGTH).toWellFormed()
}

function eventOf(request: CallRequest, tool: Tool, params: JsonObject): BeforeToolCallEvent {
  return {
    callId: request.callId,
    toolId: tool.id,
    source: tool.source,
    owner: tool.owner,
    name: tool.name,
    params,
    caller: request.caller,
  }
}

interface Ending {
  readonly admission: Admission
  readonly outcome: Outcome
  readonly startedMs: number
}

function settle(request: CallRequest, { admission, outcome, startedMs }: Ending, deps: DispatcherDeps): SettledCall {
  return {
    callId: request.callId,
    requested: requestedText(request.target),
    outcome,
    notices: admission.notices,
    ms: Math.max(0, deps.now() - startedMs),
    receiptId: deps.newId(),
    ...(admission.tool && { toolId: admission.tool.id }),
  }
}

interface Finished {
  readonly admission: Admitted
  readonly settled: SettledCall
}

async function runAfterHooks(
  request: CallRequest,
  { admission, settled }: Finished,
  deps: DispatcherDeps,
): Promise<void> {
  const event = eventOf(request, admission.tool, admission.input)
  await deps.hooks.after(admission.tool, { ...event, outcome: settled.outcome, ms: settled.ms })
}

interface Recorded {
  readonly admission: Admission
  readonly settled: SettledCall
  readonly startedMs: number
}

function receiptOf(request: CallRequest, recorded: Recorded, deps: DispatcherDeps): Receipt {
  const { admission, settled, startedMs } = recorded
  const { caller } = request
  const query = settled.toolId === undefined ? undefined : request.queryFor?.(settled.toolId)
  return {
    id: settled.receiptId,
    tenant: caller.tenant,
    callId: request.callId,
    agent: caller.agent,
    requested: settled.requested,
    catalogRevision: request.view.revision,
    outcome: settled.outcome.kind,
    effect: settled.outcome.effect,
    startedMs,
    ms: settled.ms,
    ...(request.runId !== undefined && { runId: request.runId }),
    ...(query !== undefined && { query: deps.redact(query) }),
    ...(caller.session !== undefined && { session: caller.session }),
    ...(admission.tool && { toolId: admission.tool.id, schemaHash: admission.tool.schemaHash }),
    ...(admission.kind === 'admitted' && { inputHash: hashJson(admission.input) }),
  }
}
