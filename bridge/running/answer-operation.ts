import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import { ARGUMENT_KEYS, readCallForm } from '../arguments/call-form.ts'
import { quote } from '../arguments/quote.ts'
import type { ArtifactStore } from '../artifacts.ts'
import type { CallTarget } from '../dispatcher.ts'
import type { Answer, CallSelector, Operation } from '../isolate/program-host.ts'
import { ARTIFACT_PART_BYTES, ARTIFACT_PART_MAX_BYTES, STORE_KEY_MAX_LENGTH } from '../limits.ts'
import { noteSearch } from '../surface/note-search.ts'
import type { Notice, Outcome, SettledCall } from '../outcome.ts'
import { objectTextNotice } from '../program/hints/object-text.ts'
import { artifactsOf } from '../result/keep-blocks.ts'
import { keepValue } from '../result/keep-value.ts'
import { lightBlocks } from '../result/tool-value.ts'
import type { Artifact } from '../run.ts'
import type { HeldOperation } from '../parking/wait-room.ts'
import type { SurfaceAnswer, ToolSurface } from '../surface/tool-surface.ts'

/** Small JSON values that the programs of one session keep for each other. */
export interface ProgramValues {
  get(key: string): Promise<JsonValue | undefined>
  set(key: string, value: JsonValue): Promise<{ readonly stored: boolean; readonly usedBytes: number }>
}

export interface AnswerDeps {
  readonly surface: ToolSurface
  readonly values: ProgramValues
  readonly artifacts: ArtifactStore
  /** Told of a result that could not be kept whole. */
  readonly warn: (message: string, error: unknown) => void
  /** Told of each artifact made, so that the run can list it. */
  readonly onArtifact: (artifact: Artifact) => void
  /** Larger results stay outside, as an artifact. */
  readonly resultIntoIsolateBytes: number
  /** Keeps the call of this operation while it waits, and knows it where it had waited before. */
  readonly held: HeldOperation
}

/** Answers one operation of a program. Everything in the operation is hostile. */
export async function answerOperation(operation: Operation, deps: AnswerDeps, signal: AbortSignal): Promise<Answer> {
  switch (operation.kind) {
    case 'search': {
      const found = deps.surface.search(searchForm(operation.query, operation.options))
      noteSearch(found, deps.surface)
      return bounded(plainAnswer(found), deps)
    }
    case 'describe':
      if (typeof operation.options === 'string') return severalIds()
      return bounded(plainAnswer(deps.surface.describe(idsIn(operation.ids), operation.options)), deps)
    case 'call':
      return answerCall(operation, deps, signal)
    case 'artifact-read':
      return answerArtifact(operation, deps)
    case 'store-get':
      return answerGet(operation.key, deps)
    case 'store-set':
      return answerSet(operation.key, operation.value, deps)
  }
}

/** `search(text, options)`, and `search({ query, limit })`, `search([text, text])`, `search(text, 3)` as models write it. */
function searchForm(query: JsonValue, options: JsonValue): JsonValue {
  const base = isJsonObject(query) ? query : Array.isArray(query) ? { queries: query } : { query }
  if (typeof options === 'number') return { limit: options, ...base }
  return isJsonObject(options) ? { ...options, ...base } : base
}

function severalIds(): Answer {
  const message = 'describe takes several ids as one list: tools.describe([id, id])'
  return { kind: 'error', code: 'invalid-input', message, effect: 'none' }
}

/** A hit, or `{ id }`, in the place of its id. */
function idsIn(ids: JsonValue): JsonValue {
  if (Array.isArray(ids)) return ids.map(idsIn)
  return isJsonObject(ids) ? (ids['ids'] ?? ids['id'] ?? ids['name'] ?? ids) : ids
}

async function answerCall(
  operation: Extract<Operation, { kind: 'call' }>,
  deps: AnswerDeps,
  signal: AbortSignal,
): Promise<Answer> {
  const asked = readCall(operation.selector, operation.args ?? {})
  if (asked.kind === 'problem') return { kind: 'error', code: 'invalid-input', message: asked.message, effect: 'none' }
  const asText = objectTextNotice('an argument', JSON.stringify(asked.args))
  deps.surface.note([...asked.notices, ...(asText ? [asText] : [])])
  const { hold, frozen } = deps.held
  const target: CallTarget = frozen === undefined ? asked.target : { kind: 'frozen', ...frozen }
  const settled = await deps.surface.callHeld({ target, args: asked.args, hold }, signal)
  const { outcome } = settled
  if (outcome.kind !== 'ok') return errorAnswer(outcome, settled)
  for (const artifact of artifactsOf(outcome.result)) deps.onArtifact(artifact)
  const wantsRaw = isJsonObject(operation.options) && operation.options['raw'] === true
  const value = wantsRaw ? envelope(outcome, settled) : outcome.value
  return bounded({ kind: 'value', value }, deps)
}

type AskedCall =
  | {
      readonly kind: 'call'
      readonly target: CallTarget
      readonly args: JsonValue
      readonly notices: readonly Notice[]
    }
  | { readonly kind: 'problem'; readonly message: string }

/** `call(id, args)`, `call(hit, args)` and `call({ id, args })`. */
function readCall(selector: CallSelector, args: JsonValue): AskedCall {
  if (selector.kind === 'path') return { kind: 'call', target: selector, args, notices: [] }
  const { text } = selector
  if (typeof text === 'string') return { kind: 'call', target: { kind: 'text', text }, args, notices: [] }
  if (!isJsonObject(text)) {
    const got = text === null ? 'nothing' : Array.isArray(text) ? 'a list' : `a ${typeof text}`
    return { kind: 'problem', message: `call wants a tool id as text, got ${got}; a search hit has it as hit.id` }
  }
  const form = readCallForm(isHit(text) ? callOfHit(text) : text)
  if (form.kind === 'problem') return form
  if (!isEmpty(args) && !isEmpty(form.args)) {
    return {
      kind: 'problem',
      message: 'the arguments were given twice, inside the first and as the second; give them once',
    }
  }
  const target: CallTarget = { kind: 'text', text: form.id }
  return { kind: 'call', target, args: isEmpty(args) ? form.args : args, notices: form.notices }
}

/** What a hit says of its tool is no argument. */
function isHit(value: JsonObject): boolean {
  return typeof value['id'] === 'string' && typeof value['signature'] === 'string'
}

function callOfHit(hit: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(hit).filter(([key]) => key === 'id' || ARGUMENT_KEYS.some((name) => name === key)),
  )
}

function isEmpty(value: JsonValue): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0
}

function errorAnswer(outcome: Exclude<Outcome, { kind: 'ok' }>, settled: SettledCall): Answer {
  const details = {
    callId: settled.callId,
    receipt: settled.receiptId,
    ...(outcome.kind === 'unknown-tool' && { suggestions: outcome.suggestions }),
    ...(outcome.kind === 'ambiguous-tool' && { ids: outcome.ids }),
    ...(outcome.kind === 'invalid-input' && {
      problems: outcome.problems.map((problem) => ({ ...problem })),
      signature: outcome.signature,
    }),
  }
  return { kind: 'error', code: outcome.kind, message: outcome.message, effect: outcome.effect, details }
}

function envelope(outcome: Extract<Outcome, { kind: 'ok' }>, settled: SettledCall): JsonValue {
  const { result } = outcome
  return {
    value: outcome.value,
    content: lightBlocks(result.content),
    structured: result.structured ?? null,
    receipt: settled.receiptId,
  }
}

/** In the place of a result over the bound the program gets its handle and its first part. */
async function bounded(answer: Answer, deps: AnswerDeps): Promise<Answer> {
  if (answer.kind === 'error') return answer
  const { surface, resultIntoIsolateBytes: maxBytes } = deps
  const kept = await keepValue(answer.value, { caller: surface.caller, maxBytes }, deps)
  if (kept.kind === 'whole') return answer
  if (kept.kind === 'cut') return { kind: 'value', value: kept.value }
  const { id, bytes, mimeType, preview } = kept.artifact
  deps.onArtifact(kept.artifact)
  deps.surface.note([
    {
      code: 'result-as-artifact',
      message: `a result of ${bytes} bytes came as the handle of an artifact: its fields are in tools.artifact(handle.artifact, { offset, bytes }), part by part`,
    },
  ])
  const note = `the result has ${bytes} bytes, more than ${maxBytes}; page it with tools.artifact(id, { offset, bytes })`
  return { kind: 'value', value: { artifact: id, bytes, mimeType, preview, note } }
}

function plainAnswer(answer: SurfaceAnswer): Answer {
  return answer.kind === 'value' ? answer : { ...answer, effect: 'none' }
}

async function answerArtifact(
  operation: Extract<Operation, { kind: 'artifact-read' }>,
  { artifacts, surface }: AnswerDeps,
): Promise<Answer> {
  const { id, options } = operation
  const { offset = 0, bytes = ARTIFACT_PART_BYTES } = isJsonObject(options) ? options : {}
  if (typeof id !== 'string' || !isCount(offset) || !isCount(bytes)) {
    const message =
      'artifact wants (id, { offset?, bytes? }): the id as text, from the `artifact` of a result that was too large, and whole numbers'
    return { kind: 'error', code: 'invalid-input', message, effect: 'none' }
  }
  const range = { offset, maxBytes: Math.min(Math.max(bytes, 4), ARTIFACT_PART_MAX_BYTES) }
  const part = await artifacts.read(surface.caller, id, range)
  if (part !== undefined) return { kind: 'value', value: part }
  const message = `there is no artifact ${JSON.stringify(id.slice(0, 100))}; ids stand in the \`artifact\` of a result that was too large and in the artifacts of its run, and old ones are gone: make the call again`
  return { kind: 'error', code: 'invalid-input', message, effect: 'none' }
}

function isCount(value: JsonValue): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

async function answerGet(key: JsonValue, { values }: AnswerDeps): Promise<Answer> {
  if (!isKey(key)) return badKey(key)
  return { kind: 'value', value: (await values.get(key)) ?? null }
}

async function answerSet(key: JsonValue, value: JsonValue, { values }: AnswerDeps): Promise<Answer> {
  if (!isKey(key)) return badKey(key)
  const { stored, usedBytes } = await values.set(key, value)
  if (stored) return { kind: 'value', value: null }
  const message = `the values of this session would take more than their 1 MiB (${usedBytes} bytes are used); set others to null first`
  return { kind: 'error', code: 'limit', message, effect: 'none' }
}

function isKey(key: JsonValue): key is string {
  return typeof key === 'string' && key !== '' && key.length <= STORE_KEY_MAX_LENGTH
}

function badKey(key: JsonValue): Answer {
  const shown = typeof key === 'string' ? `${key.length} characters` : isJsonObject(key) ? 'an object' : quote(key)
  const message = `a store key is a text of 1 to ${STORE_KEY_MAX_LENGTH} characters, got ${shown}; write tools.store.get(key), tools.store.set(key, value)`
  return { kind: 'error', code: 'invalid-input', message, effect: 'none' }
}
