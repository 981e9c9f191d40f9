import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import { readJson } from '../../catalog/read-json.ts'
import { TOOL_ID_MAX_LENGTH } from '../../catalog/limits.ts'
import type { View } from '../../catalog/view.ts'
import type { Notice, SettledCall } from '../outcome.ts'
import type { SurfaceAnswer, ToolSurface } from '../surface/tool-surface.ts'
import { callResult } from './call-result.ts'
import { callInstead, toolMeant } from './misdirected-call.ts'
import { errorResult, readArguments } from './model-arguments.ts'
import type { ModelCall, ModelResult, ModelTool, Presentation } from './presentation.ts'

const SEARCH: ModelTool = {
  name: 'tool_search',
  description:
    'Find tools by what you need done. Many tools exist that you are not shown. Returns hits, best first, each with its id, description and the signature of its arguments.',
  parameters: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'What you need, in a few words' },
      queries: {
        type: 'array',
        items: { type: 'string' },
        description: 'Instead of query: several needs at once, up to 16',
      },
      limit: { type: 'integer', minimum: 1, description: 'Hits per query' },
      cursor: { type: 'string', description: 'From the answer before, for the next page' },
    },
  },
}

const DESCRIBE: ModelTool = {
  name: 'tool_describe',
  description: 'The exact input and output schema of a tool that a search found.',
  parameters: {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'Exact id of a hit' },
      of: { enum: ['input', 'output'], description: 'With path: which schema' },
      path: { type: 'string', description: 'JSON pointer to a part of a schema that is too large for one answer' },
    },
    required: ['id'],
  },
}

const CALL: ModelTool = {
  name: 'tool_call',
  description: 'Call a tool that a search found. The arguments follow its signature.',
  parameters: {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'Exact id of a hit' },
      args: { type: 'object', description: "The tool's arguments", additionalProperties: true },
    },
    required: ['id', 'args'],
  },
}

const EXAMPLES: ReadonlyMap<string, string> = new Map([
  [SEARCH.name, '{ "query": "…" }'],
  [DESCRIBE.name, '{ "id": "…" }'],
  [CALL.name, '{ "id": "…", "args": { … } }'],
])

export type CallForm =
  | { readonly kind: 'form'; readonly id: string; readonly args: JsonValue; readonly notices: readonly Notice[] }
  | { readonly kind: 'problem'; readonly message: string }

export interface ToolsDeps {
  readonly view: View
  /** For one call of the model's. */
  readonly createSurface: (call: ModelCall) => ToolSurface
  /** Reads `{ id, args }` in the many forms that models write it in. */
  readonly readCallForm: (input: JsonValue) => CallForm
  /** The model's text of a call, within its bound. */
  readonly callText: (settled: SettledCall) => string
  /** JSON text of a search or describe answer, within its bound. */
  readonly answerText: (value: JsonValue) => string
}

export function createToolsPresentation(deps: ToolsDeps): Presentation {
  return {
    mode: 'tools',
    definitions: () => [SEARCH, DESCRIBE, CALL],
    async handle(call, signal) {
      const read = readArguments(call, EXAMPLES.get(call.name) ?? '{}')
      if (read.kind === 'problem') return errorResult(read.message)
      const surface = deps.createSurface(call)
      switch (call.name) {
        case SEARCH.name:
          return answerResult(surface.search(searchForm(read.value)), { surface, deps })
        case DESCRIBE.name:
          return handleDescribe(read.value, { surface, deps })
        case CALL.name:
          return handleCall(read.value, { surface, deps }, signal)
        default:
          return errorResult(misdirected(call, surface))
      }
    },
    recall(call) {
      const tool = deps.view.clientTools.find((brought) => brought.name === call.name)
      if (tool === undefined) return call
      return { name: CALL.name, arguments: JSON.stringify({ id: tool.id, args: parsedOr(call.arguments) }) }
    },
  }
}

interface Handling {
  readonly surface: ToolSurface
  readonly deps: ToolsDeps
}

function searchForm(value: JsonValue): JsonValue {
  return typeof value === 'string' ? { query: value } : value
}

function handleDescribe(input: JsonValue, handling: Handling): ModelResult {
  const ids = isJsonObject(input) && Array.isArray(input['ids']) ? input['ids'] : undefined
  if (ids !== undefined) return answerResult(handling.surface.describe(ids), handling)
  const form = handling.deps.readCallForm(input)
  if (form.kind === 'problem') return errorResult(form.message)
  return answerResult(handling.surface.describe(form.id, input), handling)
}

async function handleCall(input: JsonValue, { surface, deps }: Handling, signal: AbortSignal): Promise<ModelResult> {
  const form = deps.readCallForm(input)
  if (form.kind === 'problem') return errorResult(form.message)
  const settled = await surface.call({ kind: 'text', text: form.id }, form.args, signal)
  const resolution = surface.view.resolve(form.id)
  if (settled.outcome.kind === 'client-tool' && resolution.kind === 'found' && isJsonObject(form.args)) {
    return { kind: 'client-call', name: resolution.tool.name, arguments: form.args }
  }
  const whole = { ...settled, notices: [...form.notices, ...settled.notices] }
  return callResult(whole, () => deps.callText(whole), surface.counts())
}

function answerResult(answer: SurfaceAnswer, { surface, deps }: Handling): ModelResult {
  const { searches, describes } = surface.counts()
  if (answer.kind === 'error') return errorResult(answer.message, { searches, describes })
  const notices = surface.notices()
  const value = isJsonObject(answer.value) && notices.length > 0 ? withNotices(answer.value, notices) : answer.value
  return { kind: 'result', text: deps.answerText(value), isError: false, searches, describes, calls: [] }
}

function withNotices(value: JsonObject, notices: readonly Notice[]): JsonObject {
  return { ...value, notices: notices.map((notice) => notice.message) }
}

/** A model that calls a found tool as if it were shown gets the exact way to call it. */
function misdirected(call: ModelCall, surface: ToolSurface): string {
  const name = call.name.slice(0, TOOL_ID_MAX_LENGTH)
  const tool = toolMeant(surface.view, call)
  if (tool !== undefined) return `${JSON.stringify(name)} is called through tool_call: ${callInstead(tool.id, call)}`
  return `there is no function ${JSON.stringify(name)}; use tool_search, then tool_call with the id of a hit`
}

/** History that the client made up or cut: the model sees it as text. */
function parsedOr(text: string): JsonValue {
  const value = readJson(text)
  return value === undefined ? text : value
}
