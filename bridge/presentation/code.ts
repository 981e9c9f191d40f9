import type { JsonValue } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import type { View } from '../../catalog/view.ts'
import type { Run } from '../run.ts'
import type { RunBusy } from '../running/run-program.ts'
import { clientCall, clientDefinitions } from './client-call.ts'
import { programInstead } from './misdirected-call.ts'
import { errorResult, readArguments } from './model-arguments.ts'
import type { ModelCall, ModelTool, Presentation } from './presentation.ts'
import { runResult } from './run-result.ts'

export const CODE_TOOL_NAME = 'tool_search_code'

/** The one small tool. Its text does not depend on the catalog, so prompt caches hold and the request does not grow. */
const CODE_TOOL: ModelTool = {
  name: CODE_TOOL_NAME,
  description: [
    'Find and call tools from a short JavaScript program. Many tools exist that you are not shown; search for them.',
    'The program is the body of an async function in a sandbox without network, files or modules. It has:',
    '- await tools.search(query, { limit }) -> [{ id, name, description, signature, call(args) }], best first',
    '- await tools.describe(id) -> { signature, inputSchema, outputSchema, ... }',
    "- await tools.call(id, args) -> the tool's value; throws an error with .code, .message and .effect",
    '- await tools.callAll([{ id, args }]) -> every outcome, in parallel',
    '- tools.store.get(key) and set(key, value) for later programs; console.log',
    'Return what you need, cut to the fields that matter. When unsure of the arguments, return the signature first.',
    'Example: const [hit] = await tools.search("create calendar event"); return { id: hit.id, signature: hit.signature }',
    'Then: return await tools.call("plugin:calendar:create_event", { title: "Review", start: "2026-01-05T10:00:00Z" })',
  ].join('\n'),
  parameters: {
    type: 'object',
    properties: { code: { type: 'string', description: 'JavaScript; its return value is the result' } },
    required: ['code'],
    additionalProperties: false,
  },
}

/** Names that models use for the program when they forget `code`. */
const CODE_ALIASES = ['code', 'program', 'source', 'script', 'javascript'] as const

/** How a program begins that no JSON begins with. */
const BARE_PROGRAM = /^\s*(?:(?:return|const|let|var|await|async|for|try|if)\b[^:]|tools\.|\/\/|```)/

export interface CodeDeps {
  readonly view: View
  /** Runs the program that came in a call of the model's. */
  readonly run: (source: JsonValue, call: ModelCall, signal: AbortSignal) => Promise<Run | RunBusy>
  /** The model's text of a run, within its bound. */
  readonly runText: (run: Run) => string
}

export function createCodePresentation(deps: CodeDeps): Presentation {
  return {
    mode: 'code',
    definitions: () => [CODE_TOOL, ...clientDefinitions(deps.view)],
    async handle(call, signal) {
      if (call.name !== CODE_TOOL_NAME) return clientCall(deps.view, call) ?? errorResult(misdirected(deps.view, call))
      const source = readSource(call)
      if (source.kind === 'problem') return errorResult(source.message)
      const run = await deps.run(source.code, call, signal)
      return run.status === 'busy' ? errorResult(run.message) : runResult(run, deps.runText(run))
    },
    recall: (call) => call,
  }
}

function readSource(
  call: ModelCall,
): { readonly kind: 'code'; readonly code: JsonValue } | { readonly kind: 'problem'; readonly message: string } {
  // Some models send the program itself where its JSON belongs: that can be read in one way only.
  if (BARE_PROGRAM.test(call.arguments)) return { kind: 'code', code: call.arguments }
  const read = readArguments(call, '{ "code": "return await tools.search(\\"…\\")" }')
  if (read.kind === 'problem') return read
  const { value } = read
  if (typeof value === 'string') return { kind: 'code', code: value }
  const key = isJsonObject(value) ? CODE_ALIASES.find((alias) => typeof value[alias] === 'string') : undefined
  if (key === undefined || !isJsonObject(value)) {
    return { kind: 'problem', message: `${CODE_TOOL_NAME} wants { "code": "…" } with a JavaScript program as text` }
  }
  return { kind: 'code', code: value[key] ?? null }
}

/** A model that names a function of the program, or a tool that it found, as if it were shown. */
function misdirected(view: View, call: ModelCall): string {
  const code = JSON.stringify({ code: programInstead(view, call) })
  return `there is no function ${JSON.stringify(call.name.slice(0, 100))} here; tools are called in a program: ${CODE_TOOL_NAME} with ${code}`
}
