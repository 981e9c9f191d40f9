import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type {
  CallToolResult,
  Client,
  ClientCapabilities,
  ElicitResult,
  InputRequest,
  InputRequiredResult,
  InputResponse,
} from '@modelcontextprotocol/client'
import { isInputRequiredResult } from '@modelcontextprotocol/client'
import type { JsonObject } from '../../../json.ts'
import { isJsonObject } from '../../../json.ts'
import type { AskPerson, ToolAnswer } from '../../../question.ts'
import { McpCallError } from '../errors.ts'
import {
  QUESTION_MAX_LENGTH,
  QUESTION_ROUNDS_MAX,
  QUESTION_WAIT_SHARE,
  QUESTIONS_PER_ROUND_MAX,
  STATE_ONLY_PAUSE_MS,
} from '../limits.ts'

/** A call that the server may ask back about. */
export interface QuestionableCall {
  /** Absent where the caller has nobody to ask. */
  readonly ask: AskPerson | undefined
  /** Longest silence of the server, in milliseconds; it is silent while it waits for an answer. */
  readonly idleMs: number
  readonly signal: AbortSignal
}

/** What a call is sent again with. */
export interface CallInput {
  readonly inputResponses?: Readonly<Record<string, InputResponse>>
  readonly requestState?: string
}

type SendCall = (input: CallInput) => Promise<CallToolResult>

/**
 * What a server asks back: questions for a person go to the caller of the call that they belong to, or are declined.
 * Sampling is not offered, so that a server knows not to ask for it. Roots are those of the configuration.
 */
export class ServerQuestions {
  readonly #roots: readonly string[]
  readonly #calls = new Set<QuestionableCall>()

  constructor(roots: readonly string[]) {
    this.#roots = roots
  }

  get capabilities(): ClientCapabilities {
    return { elicitation: { form: {} }, ...(this.#roots.length > 0 && { roots: {} }) }
  }

  /** Answers what comes over this client, in requests of its own and in results that ask for input. */
  answerOver(client: Client): void {
    client.setRequestHandler('elicitation/create', ({ params }) => this.#answer(params))
    if (this.#roots.length > 0) client.setRequestHandler('roots/list', () => ({ roots: this.#roots.map(rootOf) }))
  }

  /**
   * Makes a call. What the server asks meanwhile in requests of its own is about this call where no other is under way;
   * a result that asks for input is answered, and the call sent again with the answers.
   */
  async during(call: QuestionableCall, send: SendCall): Promise<CallToolResult> {
    this.#calls.add(call)
    try {
      let result = await send({})
      for (let round = 1; isInputRequiredResult(result); round += 1) {
        if (round > QUESTION_ROUNDS_MAX) throw noInput(`asks for input more than ${QUESTION_ROUNDS_MAX} times`)
        result = await send(await this.#answersTo(result, call))
      }
      return result
    } finally {
      this.#calls.delete(call)
    }
  }

  async #answersTo(
    { inputRequests = {}, requestState }: InputRequiredResult,
    call: QuestionableCall,
  ): Promise<CallInput> {
    const requests = Object.entries(inputRequests)
    if (requests.length > QUESTIONS_PER_ROUND_MAX) throw noInput(`asks ${requests.length} things at once`)
    const answers = await Promise.all(
      requests.map(async ([key, request]) => [key, await this.#answerInResult(request, call)] as const),
    )
    // A server that only wants to be asked again must not keep both busy.
    if (requests.length === 0) await pause(STATE_ONLY_PAUSE_MS, undefined, { signal: call.signal })
    return {
      ...(requests.length > 0 && { inputResponses: Object.fromEntries(answers) }),
      ...(requestState !== undefined && { requestState }),
    }
  }

  async #answerInResult({ method, params }: InputRequest, call: QuestionableCall): Promise<InputResponse> {
    if (method === 'elicitation/create') return ask(params, call)
    if (method === 'roots/list' && this.#roots.length > 0) return { roots: this.#roots.map(rootOf) }
    throw noInput(`asks for ${method}, which is not offered`)
  }

  /** Over a pipe nothing says whose call a question is about; with several under way another's person might be asked. */
  async #answer(params: unknown): Promise<ElicitResult> {
    const [only, ...others] = this.#calls
    return only === undefined || others.length > 0 ? { action: 'decline' } : ask(params, only)
  }
}

function noInput(what: string): McpCallError {
  return new McpCallError('input-required', `the tool ${what}`)
}

async function ask(params: unknown, call: QuestionableCall): Promise<ElicitResult> {
  const question = readQuestion(params)
  if (call.ask === undefined || question === undefined) return { action: 'decline' }
  const waitMs = Math.floor(call.idleMs * QUESTION_WAIT_SHARE)
  try {
    return resultOf(await call.ask({ ...question, waitMs }, call.signal))
  } catch {
    // The call was aborted, or nobody could be asked: the server hears that there is no answer.
    return { action: 'cancel' }
  }
}

/** A form; an address to be opened is nothing that the server may have a person do here. */
function readQuestion(params: unknown): { readonly message: string; readonly schema: JsonObject } | undefined {
  if (!isJsonObject(params) || params['mode'] === 'url') return undefined
  const { message, requestedSchema } = params
  if (typeof message !== 'string') return undefined
  return {
    message: message.slice(0, QUESTION_MAX_LENGTH).toWellFormed(),
    schema: isJsonObject(requestedSchema) ? requestedSchema : {},
  }
}

function resultOf(answer: ToolAnswer): ElicitResult {
  if (answer.action !== 'accept') return { action: answer.action }
  const content: Record<string, string | number | boolean> = {}
  for (const [key, value] of Object.entries(answer.content)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') content[key] = value
  }
  return { action: 'accept', content }
}

function rootOf(uri: string): { readonly uri: string; readonly name: string } {
  return { uri, name: path.basename(fileURLToPath(uri)) }
}
