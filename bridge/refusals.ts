import type { JsonObject } from '../catalog/json.ts'
import { schemaChanges } from '../catalog/schema-changes.ts'
import type { Tool } from '../catalog/tool.ts'
import type { Absence, Resolution } from '../catalog/view.ts'
import type { Pending } from './approval.ts'
import type { InputProblem, Outcome } from './outcome.ts'

/** The endings of a call that was not made, written for the model that asked. */
export function unknownTool(requested: string, suggestions: readonly string[]): Outcome {
  const hint =
    suggestions.length > 0
      ? `did you mean ${suggestions.map((id) => JSON.stringify(id)).join(', ')}?`
      : 'search for what you need'
  return {
    kind: 'unknown-tool',
    message: `there is no tool ${JSON.stringify(requested)}; ${hint} (use the exact id from a search hit)`,
    suggestions,
    effect: 'none',
  }
}

/** No tool, or one that is not to be had now: a model that is told that there is none takes another in its place. */
export function absentTool(requested: string, { suggestions, absence }: UnknownResolution): Outcome {
  if (absence === undefined) return unknownTool(requested, suggestions)
  return { kind: 'unavailable', message: absenceText(absence), effect: 'none' }
}

type UnknownResolution = Extract<Resolution, { readonly kind: 'unknown' }>

function absenceText(absence: Absence): string {
  const id = JSON.stringify(absence.id)
  if (absence.kind === 'quarantined')
    return `${id} is kept in quarantine and was not called; "drawbridge explain" tells the operator of the gateway why`
  const state = absence.state === 'down' ? 'is down' : 'is still connecting'
  return `MCP server "${absence.server}" ${state}, so that ${id} is not known yet; nothing was run, try again later`
}

export function ambiguousTool(requested: string, ids: readonly string[]): Outcome {
  const listed = ids.slice(0, 8)
  const more = ids.length > listed.length ? ` and ${ids.length - listed.length} more` : ''
  return {
    kind: 'ambiguous-tool',
    message: `${JSON.stringify(requested)} is the name of ${ids.length} tools; call one by its id: ${listed.join(', ')}${more}`,
    ids: listed,
    effect: 'none',
  }
}

export function invalidInput(tool: Tool, problems: readonly InputProblem[], signature: string): Outcome {
  const listed = problems.map(problemText).join('; ')
  return {
    kind: 'invalid-input',
    message: `the arguments for "${tool.id}" do not fit: ${listed}. Signature: ${signature}`,
    problems,
    signature,
    effect: 'none',
  }
}

export function denied(tool: Tool, reason: string): Outcome {
  return { kind: 'denied', message: `the call of "${tool.id}" was refused: ${reason}`, effect: 'none' }
}

/** `why` is what the person gave, redacted; `` where nothing. */
export function rejected(
  tool: Tool,
  { verb, who, why }: { readonly verb: 'denied' | 'cancelled'; readonly who: string; readonly why: string },
): Outcome {
  const reason = why === '' ? '' : `: ${why}`
  return {
    kind: 'rejected',
    message: `the call of "${tool.id}" was ${verb} by ${who}${reason}; it was not made, do not ask for it again unless told to`,
    effect: 'none',
  }
}

export function expired(tool: Tool): Outcome {
  return {
    kind: 'expired',
    message: `nobody decided on the call of "${tool.id}" in time, so it was not made`,
    effect: 'none',
  }
}

export function notAsked(tool: Tool): Outcome {
  return {
    kind: 'rejected',
    message: `the call of "${tool.id}" needs an approval, and it could not be asked for; it was not made`,
    effect: 'none',
  }
}

/** Whoever asked may do nothing any more. */
export function callerStopped(toolId: string, why: string): Outcome {
  return {
    kind: 'rejected',
    message: `the call of "${toolId}" was not made: ${why}; nothing that you ask for is made any more`,
    effect: 'none',
  }
}

/** `why` names what is full, and the way out. */
export function noRoomToAsk(tool: Tool, why: string): Outcome {
  return {
    kind: 'busy',
    message: `the call of "${tool.id}" needs an approval, and nobody was asked: ${why}; it was not made`,
    effect: 'none',
  }
}

export function cancelledUnbegun(tool: Pick<Tool, 'id'>): Outcome {
  return { kind: 'cancelled', message: `the call of "${tool.id}" was cancelled before it began`, effect: 'none' }
}

export function cancelledWhileAsked(tool: Tool): Outcome {
  return {
    kind: 'cancelled',
    message: `the call of "${tool.id}" was cancelled while it waited for an approval; it was not made`,
    effect: 'none',
  }
}

export function notBegun(tool: Tool): Outcome {
  return {
    kind: 'unavailable',
    message: `the call of "${tool.id}" was not made, since its beginning could not be written down; try again later`,
    effect: 'none',
  }
}

export function cancelledForClient(tool: Tool): Outcome {
  return {
    kind: 'cancelled',
    message: `the call of "${tool.id}" was cancelled before the client was given it`,
    effect: 'none',
  }
}

/** Not an ending yet: the call is kept, and made when what it waits for has come. */
export function waiting(tool: Tool, pending: Pending): Outcome {
  const whom =
    'approval' in pending ? `for a person to decide on approval ${pending.approval}` : 'for the client to run it'
  return {
    kind: 'waiting',
    message: `the call of "${tool.id}" waits ${whom}; it has not been made yet, and is made once that has come`,
    pending,
    effect: 'none',
  }
}

export function clientTool(tool: Tool): Outcome {
  return {
    kind: 'client-tool',
    message:
      `"${tool.name}" runs on the client, not here; end the program without it and call the function ` +
      `"${tool.name}" directly, beside this one`,
    effect: 'none',
  }
}

export function goneTool(tool: Tool): Outcome {
  return {
    kind: 'unavailable',
    message: `"${tool.id}" is no longer registered; search again for what there is now`,
    effect: 'none',
  }
}

/** Between what was decided on and what would run now lies another schema. */
export function changedTool(tool: Tool): Outcome {
  return {
    kind: 'stale-tool',
    message: `the schema of "${tool.id}" has changed since its call was asked about, so it was not made; describe it and call it again`,
    effect: 'none',
  }
}

/** `before` is the schema that the arguments were written by. */
export function staleTool(tool: Tool, before: JsonObject, signature: string): Outcome {
  const changes = schemaChanges(before, tool.inputSchema).join('; ')
  return {
    kind: 'stale-tool',
    message: `the schema of "${tool.id}" has changed since you saw it and these arguments no longer fit: ${changes}. Signature now: ${signature}`,
    effect: 'none',
  }
}

function problemText(problem: InputProblem): string {
  // A name in it may be a tool's text: with the ends of its lines it would read as ours.
  const at = problem.path === '' ? 'the arguments' : JSON.stringify(problem.path).slice(1, -1)
  const got = problem.got === undefined ? '' : `, got ${problem.got}`
  const suggestion = problem.suggestion === undefined ? '' : ` (${problem.suggestion})`
  return `${at}: expected ${problem.expected}${got}${suggestion}`
}
