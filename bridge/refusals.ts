import type { Tool } from '../catalog/tool.ts'
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

export function staleTool(tool: Tool, signatures: { readonly before: string; readonly now: string }): Outcome {
  return {
    kind: 'stale-tool',
    message: `the schema of "${tool.id}" has changed since you saw it and these arguments no longer fit. Before: ${signatures.before} Now: ${signatures.now}`,
    effect: 'none',
  }
}

function problemText(problem: InputProblem): string {
  const at = problem.path === '' ? 'the arguments' : problem.path
  const got = problem.got === undefined ? '' : `, got ${problem.got}`
  const suggestion = problem.suggestion === undefined ? '' : ` (${problem.suggestion})`
  return `${at}: expected ${problem.expected}${got}${suggestion}`
}
