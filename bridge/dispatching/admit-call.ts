import type { JsonObject } from '../../catalog/json.ts'
import { TOOL_ID_MAX_LENGTH } from '../../catalog/limits.ts'
import type { Tool } from '../../catalog/tool.ts'
import type { Resolution } from '../../catalog/view.ts'
import { refusalReason } from '../../policy/refusal-reason.ts'
import type { FrozenCall, Question } from '../approving/frozen-call.ts'
import { poseQuestion } from '../approving/pose-question.ts'
import type { BeforeToolCallEvent } from '../hooks.ts'
import type { HookApproval } from '../hooks/read-decision.ts'
import type { InputProblem, Notice, Outcome } from '../outcome.ts'
import {
  absentTool,
  ambiguousTool,
  callerStopped,
  cancelledUnbegun,
  changedTool,
  clientTool,
  denied,
  goneTool,
  invalidInput,
  staleTool,
} from '../refusals.ts'
import type { CallRequest, DispatcherDeps, Validation } from './call-request.ts'

/** A call that may run, once its question is answered: what was checked is exactly what runs. */
export interface Admitted {
  readonly kind: 'admitted'
  readonly tool: Tool
  readonly input: JsonObject
  /** Somebody has to be asked first. */
  readonly question?: Question
  /** The handlers that had their say. */
  readonly hooks: readonly string[]
}

export interface Refused {
  readonly kind: 'refused'
  readonly tool?: Tool
  readonly outcome: Outcome
}

export type Admission = (Admitted | Refused) & { readonly notices: readonly Notice[] }

/** Resolve, repair, validate, hooks, validate again, policy: in the order in which each must hold. */
export async function admitCall(request: CallRequest, deps: DispatcherDeps, signal: AbortSignal): Promise<Admission> {
  if (request.target.kind === 'frozen') return admitFrozen(request.target.call, request, deps)
  const resolution = resolve(request)
  if (resolution.kind === 'unknown') return refuse(absentTool(requestedText(request.target), resolution))
  if (resolution.kind === 'ambiguous') return refuse(ambiguousTool(requestedText(request.target), resolution.ids))
  const seen = resolution.tool
  const fault = await deps.callerFault(request.caller)
  if (fault !== undefined) return refuse(callerStopped(seen.id, fault), seen)
  if (seen.execute === undefined && request.hold?.reachesClient !== true) return refuse(clientTool(seen), seen)
  const { args, notices } = deps.repair(request.args, seen)
  // Before the hooks too: a plugin's handler is never shown input that the tool could not have been given.
  const asked = deps.validate(seen, args)
  if (asked.kind === 'invalid')
    return refuse(misfit(request, { seen, tool: seen, problems: asked.problems }, deps), seen, notices)
  const verdict = await deps.hooks.before(seen, toolEvent(request, seen, asked.value), signal)
  // Its handlers were stopped with it: what they say of it is no decision.
  if (signal.aborted) return refuse(cancelledUnbegun(seen), seen, notices)
  if (verdict.kind === 'block') return refuse(denied(seen, deps.redact(verdict.reason)), seen, notices)
  const { input, approval, asked: hooks } = verdict
  return admitFinal({ request, seen, valid: asked.value, input, hook: approval, hooks, notices }, deps)
}

/**
 * Whether a call that was asked about may still be made: whether its caller still may, the catalog and the policy of this
 * moment have the last word, whatever anybody decided before it.
 */
export async function admitFrozen(
  call: FrozenCall,
  { view, caller }: CallRequest,
  deps: DispatcherDeps,
): Promise<Admission> {
  const { toolId, input, notices, question } = call
  const fault = await deps.callerFault(caller)
  if (fault !== undefined) return refuse(callerStopped(toolId, fault), deps.current(toolId), notices)
  const seen = view.resolve(toolId)
  if (seen.kind !== 'found') {
    const absent = seen.kind === 'unknown' ? seen : { kind: 'unknown' as const, suggestions: [] }
    return refuse(absentTool(call.requested, absent), undefined, notices)
  }
  const tool = inForce(seen.tool, deps)
  if (tool === undefined) return refuse(goneTool(seen.tool), seen.tool, notices)
  if (tool.schemaHash !== call.schemaHash) return refuse(changedTool(tool), tool, notices)
  const verdict = deps.decide(tool, caller, input)
  if (verdict.kind === 'deny') return refuse(denied(tool, refusalReason(verdict)), tool, notices)
  const asked = question ?? poseQuestion({ tool, input, verdict, hook: undefined })
  return { kind: 'admitted', tool, input, notices, hooks: call.hooks ?? [], ...(asked && { question: asked }) }
}

/** What handlers are shown of a call. */
export function toolEvent(request: CallRequest, tool: Tool, params: JsonObject): BeforeToolCallEvent {
  const { callId, parentCallId, runId, turnId, caller } = request
  return {
    callId,
    toolId: tool.id,
    source: tool.source,
    owner: tool.owner,
    name: tool.name,
    params,
    caller,
    ...(parentCallId !== undefined && { parentCallId }),
    ...(runId !== undefined && { runId }),
    ...(turnId !== undefined && { turnId }),
  }
}

export function requestedText(target: CallRequest['target']): string {
  if (target.kind === 'frozen') return target.call.requested
  const text = target.kind === 'text' ? target.text : `tools.${target.owner}.${target.name}`
  return text.slice(0, TOOL_ID_MAX_LENGTH).toWellFormed()
}

interface FinalInput {
  readonly request: CallRequest
  readonly seen: Tool
  /** What fits the schema of the tool as it was seen. */
  readonly valid: JsonObject
  readonly input: JsonObject
  readonly hook: HookApproval | undefined
  readonly hooks: readonly string[]
  readonly notices: readonly Notice[]
}

/** Against the catalog and the policy of this moment: either may have changed since the program was given its view. */
function admitFinal({ request, seen, valid, ...final }: FinalInput, deps: DispatcherDeps): Admission {
  const { input, hook, hooks, notices } = final
  const tool = inForce(seen, deps)
  if (tool === undefined) return refuse(goneTool(seen), seen, notices)
  // Of the same tool and input it is known already.
  const isKnown = tool === seen && input === valid
  const checked: Validation = isKnown ? { kind: 'valid', value: valid } : deps.validate(tool, input)
  if (checked.kind === 'invalid') {
    return refuse(misfit(request, { seen, tool, problems: checked.problems }, deps), tool, notices)
  }
  const verdict = deps.decide(tool, request.caller, checked.value)
  if (verdict.kind === 'deny') return refuse(denied(tool, refusalReason(verdict)), tool, notices)
  const question = poseQuestion({ tool, input: checked.value, verdict, hook })
  return { kind: 'admitted', tool, input: checked.value, notices, hooks, ...(question && { question }) }
}

interface Misfit {
  readonly seen: Tool
  readonly tool: Tool
  readonly problems: readonly InputProblem[]
}

/** Written by another schema than the one in force, they are out of date; else they are wrong. */
function misfit({ shown }: CallRequest, { seen, tool, problems }: Misfit, deps: DispatcherDeps): Outcome {
  const writtenBy = shown?.(seen.id) ?? seen
  const signature = deps.signature(tool)
  return writtenBy.schemaHash === tool.schemaHash
    ? invalidInput(tool, problems, signature)
    : staleTool(tool, writtenBy.inputSchema, signature)
}

/** A client's tool is registered nowhere but in its own view. */
function inForce(seen: Tool, deps: DispatcherDeps): Tool | undefined {
  return seen.source === 'client' ? seen : deps.current(seen.id)
}

function resolve({ target, view }: CallRequest): Resolution {
  if (target.kind === 'path') return view.resolvePath(target.owner, target.name)
  const text = target.kind === 'frozen' ? target.call.toolId : target.text
  return text.length > TOOL_ID_MAX_LENGTH ? { kind: 'unknown', suggestions: [] } : view.resolve(text)
}

function refuse(outcome: Outcome, tool?: Tool, notices: readonly Notice[] = []): Admission {
  return { kind: 'refused', outcome, notices, ...(tool && { tool }) }
}
