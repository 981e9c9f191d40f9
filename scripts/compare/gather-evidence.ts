import type { JsonObject } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import type { ComparedMode, ModeEvidence } from './comparison.ts'
import type { RecordedRequest } from './recording-proxy.ts'

/** As people reckon; the real count depends on the model. */
const BYTES_PER_TOKEN = 4

/** One turn as the client, the wire, the session log and the plugin saw it. */
export interface Seen {
  readonly mode: ComparedMode
  readonly turn: { readonly answer: string; readonly wallMs: number }
  readonly requests: readonly RecordedRequest[]
  readonly log: readonly JsonObject[]
  readonly ran: readonly string[]
}

/**
 * Figures of a turn: bytes from the wire, counts from the session log.
 * @throws {Error} when one of them is not there
 */
export function gatherEvidence({ mode, turn, requests, log, ran }: Seen): ModeEvidence {
  const bodies = requests.map(readBody)
  const [first] = bodies
  if (first === undefined) throw new Error(`${mode}: no request reached the provider; the answer was: ${turn.answer}`)
  const started = eventOf(log, 'turn-started')
  const finished = eventOf(log, 'turn-finished')
  const totalBytes = requests.reduce((sum, request) => sum + request.body.length, 0)
  return {
    result: {
      mode,
      toolsDeclared: first.tools.length,
      toolsBytes: Buffer.byteLength(first.toolsText),
      promptBytes: Buffer.byteLength(first.messagesText),
      requestBytes: first.bytes,
      totalBytes,
      estimatedTokens: Math.ceil(totalBytes / BYTES_PER_TOKEN),
      steps: numberIn(finished, 'steps'),
      searches: numberIn(finished, 'searches'),
      describes: numberIn(finished, 'describes'),
      calls: numberIn(finished, 'calls'),
      finalTool: textIn(finished, 'finalTool'),
      finalSource: textIn(finished, 'finalSource'),
      result: turn.answer,
      wallMs: turn.wallMs,
    },
    toolsTexts: bodies.map((body) => body.toolsText),
    toolNames: first.tools,
    logged: {
      mode: textIn(started, 'mode'),
      toolsDeclared: numberIn(started, 'toolsDeclared'),
      toolsBytes: numberIn(started, 'toolsBytes'),
    },
    ran,
  }
}

interface Body {
  readonly bytes: number
  readonly tools: readonly string[]
  readonly toolsText: string
  readonly messagesText: string
}

function readBody(request: RecordedRequest): Body {
  const text = request.body.toString()
  const body: unknown = JSON.parse(text)
  if (!isJsonObject(body)) throw new Error(`a request to the provider is no JSON object: ${text.slice(0, 200)}`)
  const tools = Array.isArray(body['tools']) ? body['tools'] : []
  return {
    bytes: request.body.length,
    tools: tools.map((tool) =>
      isJsonObject(tool) && isJsonObject(tool['function']) ? textIn(tool['function'], 'name') : '',
    ),
    toolsText: partOf(text, body['tools'] ?? []),
    messagesText: partOf(text, body['messages'] ?? []),
  }
}

/** The text of one value of the body. It is measured as it was sent, so it must stand there letter for letter. */
function partOf(text: string, value: unknown): string {
  const part = JSON.stringify(value)
  if (part !== '[]' && !text.includes(part)) throw new Error('the request to the provider is not compact JSON')
  return part
}

function eventOf(log: readonly JsonObject[], event: string): JsonObject {
  const found = log.findLast((line) => line['event'] === event)
  if (found !== undefined) return found
  const events = log.map((line) => JSON.stringify(line['event']))
  throw new Error(`the session log has no "${event}"; it has: ${events.join(', ') || 'nothing'}`)
}

function numberIn(line: JsonObject, key: string): number {
  const value = line[key]
  if (typeof value === 'number') return value
  throw new Error(
    `"${key}" of the session log's ${JSON.stringify(line['event'])} is ${JSON.stringify(value)}, not a number`,
  )
}

/** Empty where it is absent: a turn that called nothing has no final tool. */
function textIn(line: JsonObject, key: string): string {
  const value = line[key]
  return typeof value === 'string' ? value : ''
}
