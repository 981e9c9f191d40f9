import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type {
  CallToolResult,
  Client,
  ClientCapabilities,
  CreateMessageResult,
  ElicitResult,
  InputRequest,
  InputRequiredResult,
  InputResponse,
} from '@modelcontextprotocol/client'
import { isInputRequiredResult, isSpecType, ProtocolError } from '@modelcontextprotocol/client'
import type { AskPerson, ToolAnswer } from '../../../question.ts'
import { McpCallError } from '../errors.ts'
import { QUESTION_ROUNDS_MAX, QUESTIONS_PER_ROUND_MAX, STATE_ONLY_PAUSE_MS } from '../limits.ts'
import type { McpServerConfig } from '../server-config.ts'
import type { CallQuestions } from './call-questions.ts'
import { createCallQuestions } from './call-questions.ts'
import { pagesFirst } from './pages-first.ts'
import type { QuestionBudget } from './question-budget.ts'
import { readElicitation, readSampling } from './read-question.ts'

/** A call that the server may ask back about. */
export interface QuestionableCall {
  /** Absent where the caller has nobody to ask. */
  readonly ask: AskPerson | undefined
  readonly signal: AbortSignal
}

/** What a call is sent again with. */
export interface CallInput {
  readonly inputResponses?: Readonly<Record<string, InputResponse>>
  readonly requestState?: string
}

export interface ServerQuestionsDeps {
  readonly config: Pick<McpServerConfig, 'roots' | 'elicitation' | 'sampling'>
  readonly budget: QuestionBudget
  readonly warn: (message: string) => void
}

type SendCall = (input: CallInput) => Promise<CallToolResult>

/**
 * What a server asks back goes to the caller of the call that it belongs to, or is declined. What the configuration
 * switches off is not offered, so that a server knows not to ask for it. Roots are those of the configuration.
 */
export class ServerQuestions {
  readonly #deps: ServerQuestionsDeps
  readonly #roots: readonly string[]
  readonly #calls = new Set<CallQuestions>()
  #othersUnderWay = 0

  constructor(deps: ServerQuestionsDeps) {
    this.#deps = deps
    this.#roots = deps.config.roots ?? []
  }

  get capabilities(): ClientCapabilities {
    const { elicitation, sampling } = this.#deps.config
    return {
      ...(elicitation !== 'off' && { elicitation: { form: {}, url: {} } }),
      ...(sampling !== 'off' && { sampling: {} }),
      ...(this.#roots.length > 0 && { roots: {} }),
    }
  }

  /** Answers what comes over this client, in requests of its own and in results that ask for input. */
  answerOver(client: Client): void {
    const { elicitation, sampling, roots } = this.capabilities
    if (elicitation) {
      client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) => this.#elicit(params, mcpReq.signal))
    }
    if (sampling) {
      client.setRequestHandler('sampling/createMessage', ({ params }, { mcpReq }) =>
        this.#sample(params, mcpReq.signal),
      )
    }
    if (roots) client.setRequestHandler('roots/list', () => ({ roots: this.#roots.map(rootOf) }))
  }

  /**
   * Makes a call. What the server asks meanwhile in requests of its own is about this call where nothing else is under
   * way; a result that asks for input is answered, and the call sent again with the answers.
   */
  async during({ ask, signal }: QuestionableCall, send: SendCall): Promise<CallToolResult> {
    const questions = createCallQuestions({ ask, signal, ...this.#deps })
    this.#calls.add(questions)
    try {
      const first = (): Promise<CallToolResult> => send({})
      let result = await (this.capabilities.elicitation ? pagesFirst(first, { questions, signal }) : first())
      for (let round = 1; isInputRequiredResult(result); round += 1) {
        if (round > QUESTION_ROUNDS_MAX) throw noInput(`asks for input more than ${QUESTION_ROUNDS_MAX} times`)
        result = await send(await this.#answersTo(result, { questions, signal }))
      }
      return result
    } finally {
      this.#calls.delete(questions)
      questions.end()
    }
  }

  /** Something beside calls: while it is under way a question may be about it, and is nobody's. */
  async beside<T>(work: () => Promise<T>): Promise<T> {
    this.#othersUnderWay += 1
    try {
      return await work()
    } finally {
      this.#othersUnderWay -= 1
    }
  }

  async #answersTo({ inputRequests = {}, requestState }: InputRequiredResult, round: Round): Promise<CallInput> {
    const requests = Object.entries(inputRequests)
    if (requests.length > QUESTIONS_PER_ROUND_MAX) throw noInput(`asks ${requests.length} things at once`)
    const answers = await Promise.all(
      requests.map(async ([key, request]) => [key, await this.#answerInResult(request, round)] as const),
    )
    // A server that only wants to be asked again must not keep both busy.
    if (requests.length === 0) await pause(STATE_ONLY_PAUSE_MS, undefined, { signal: round.signal })
    return {
      ...(requests.length > 0 && { inputResponses: Object.fromEntries(answers) }),
      ...(requestState !== undefined && { requestState }),
    }
  }

  async #answerInResult({ method, params }: InputRequest, { questions, signal }: Round): Promise<InputResponse> {
    const { elicitation, sampling, roots } = this.capabilities
    if (method === 'elicitation/create' && elicitation) {
      return elicitResultOf(await questions.ask(readElicitation(params), signal))
    }
    if (method === 'sampling/createMessage' && sampling) {
      const answer = await questions.ask(readSampling(params), signal)
      const result = sampleOf(answer)
      // A result has no place to say no in; the call cannot go on without.
      if (result === undefined) throw noInput(`asks for a model's answer, and ${refusalOf(answer)}`)
      return result
    }
    if (method === 'roots/list' && roots) return { roots: this.#roots.map(rootOf) }
    throw noInput(`asks for ${method}, which is not offered`)
  }

  async #elicit(params: unknown, signal: AbortSignal): Promise<ElicitResult> {
    const only = this.#onlyCall()
    return only === undefined ? { action: 'decline' } : elicitResultOf(await only.ask(readElicitation(params), signal))
  }

  /** @throws {ProtocolError} as the specification has it where the answer is no */
  async #sample(params: unknown, signal: AbortSignal): Promise<CreateMessageResult> {
    const answer: ToolAnswer = (await this.#onlyCall()?.ask(readSampling(params), signal)) ?? { action: 'decline' }
    const result = sampleOf(answer)
    if (result === undefined) throw new ProtocolError(SAMPLING_REFUSED, refusalOf(answer))
    return result
  }

  /**
   * Nothing says whose call a request of the server is about; with several under way another's person might be asked,
   * and after the call there is nobody.
   */
  #onlyCall(): CallQuestions | undefined {
    const [only, ...others] = this.#calls
    return others.length > 0 || this.#othersUnderWay > 0 ? undefined : only
  }
}

interface Round {
  readonly questions: CallQuestions
  readonly signal: AbortSignal
}

/** Of the specification's own example: the user rejected it. */
const SAMPLING_REFUSED = -1

function noInput(what: string): McpCallError {
  return new McpCallError('input-required', `the tool ${what}`)
}

function elicitResultOf(answer: ToolAnswer): ElicitResult {
  if (answer.action !== 'accept') return { action: answer.action }
  const content: Record<string, string | number | boolean | string[]> = {}
  for (const [key, value] of Object.entries(answer.content)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') content[key] = value
    else if (Array.isArray(value)) content[key] = value.filter((item) => typeof item === 'string')
  }
  return { action: 'accept', content }
}

function sampleOf(answer: ToolAnswer): CreateMessageResult | undefined {
  const result: unknown = answer.action === 'accept' ? answer.content : undefined
  return isSpecType.CreateMessageResult(result) ? result : undefined
}

function refusalOf(answer: ToolAnswer): string {
  if (answer.action === 'accept') return 'what came is none'
  return answer.reason ?? (answer.action === 'decline' ? 'it was declined' : 'nobody answered')
}

function rootOf(uri: string): { readonly uri: string; readonly name: string } {
  return { uri, name: path.basename(fileURLToPath(uri)) }
}
