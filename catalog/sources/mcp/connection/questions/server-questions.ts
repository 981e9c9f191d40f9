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
import { isInputRequiredResult, ProtocolError } from '@modelcontextprotocol/client'
import type { Caller } from '../../../../caller.ts'
import type { AskPerson, ToolAnswer, ToolQuestion } from '../../../../question.ts'
import { McpCallError } from '../../errors.ts'
import { QUESTION_ROUNDS_MAX, QUESTIONS_PER_ROUND_MAX, STATE_ONLY_PAUSE_MS } from '../../limits.ts'
import type { McpServerConfig } from '../../server-config.ts'
import type { RequestWatch } from '../../transport/answer-guard.ts'
import type { CallQuestions } from './call-questions.ts'
import { createCallQuestions } from './call-questions.ts'
import { elicitResultOf } from './elicit-result.ts'
import { pagesFirst } from './pages-first.ts'
import type { QuestionBudget } from './question-budget.ts'
import { readElicitation, readSampling } from './read-question.ts'
import { refusalOf, sampleResultOf } from './sample-result.ts'
import { createWhoseQuestion } from './whose-question.ts'
import type { SessionRequest } from '../session/session-requests.ts'
import { mayBeAskedAbout } from '../session/session-requests.ts'

/** A call that the server may ask back about. */
export interface QuestionableCall {
  /** Absent where the caller has nobody to ask. */
  readonly ask: AskPerson | undefined
  readonly caller: Caller
  readonly tool: string
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
  readonly #whose = createWhoseQuestion()

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

  /** For the transport of this client. */
  get watch(): RequestWatch {
    return this.#whose.watch
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
   * Makes a call. What the server asks meanwhile in requests of its own is about this call where it comes on the call's
   * stream, or where nothing else can be meant; a result that asks for input is answered, and the call sent again with
   * the answers.
   */
  async during({ ask, caller, tool, signal }: QuestionableCall, send: SendCall): Promise<CallToolResult> {
    const questions = createCallQuestions({ ask, signal, ...this.#deps })
    try {
      return await this.#whose.during({ caller, tool, questions }, async () => {
        const first = (): Promise<CallToolResult> => send({})
        let result = await (this.capabilities.elicitation ? pagesFirst(first, { questions, signal }) : first())
        for (let round = 1; isInputRequiredResult(result); round += 1) {
          if (round > QUESTION_ROUNDS_MAX) throw noInput(`asks for input more than ${QUESTION_ROUNDS_MAX} times`)
          result = await send(await this.#answersTo(result, { questions, signal }))
        }
        return result
      })
    } finally {
      questions.end()
    }
  }

  /** Something beside calls: a question that may be about it is nobody's. */
  async beside<T>({ method, caller }: Pick<SessionRequest, 'method' | 'caller'>, run: () => Promise<T>): Promise<T> {
    const work = { caller, tool: method, questions: undefined, asksNothing: !mayBeAskedAbout(method) }
    return this.#whose.during(work, run)
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
      const result = sampleResultOf(answer)
      // A result has no place to say no in; the call cannot go on without.
      if (result === undefined) throw noInput(`asks for a model's answer, and ${refusalOf(answer)}`)
      return result
    }
    if (method === 'roots/list' && roots) return { roots: this.#roots.map(rootOf) }
    throw noInput(`asks for ${method}, which is not offered`)
  }

  async #elicit(params: unknown, signal: AbortSignal): Promise<ElicitResult> {
    const asked = this.#whose.asked()
    if (asked === undefined) return { action: 'decline' }
    const question = withDoubt(readElicitation(params), asked.givenUp)
    return elicitResultOf(await asked.questions.ask(question, signal))
  }

  /** @throws {ProtocolError} as the specification has it where the answer is no */
  async #sample(params: unknown, signal: AbortSignal): Promise<CreateMessageResult> {
    const asked = this.#whose.asked()
    const answer: ToolAnswer = (await asked?.questions.ask(readSampling(params), signal)) ?? { action: 'decline' }
    const result = sampleResultOf(answer)
    if (result === undefined) throw new ProtocolError(SAMPLING_REFUSED, refusalOf(answer))
    return result
  }
}

function withDoubt(question: ToolQuestion | undefined, givenUp: readonly string[]): ToolQuestion | undefined {
  // An answer of a model decides nothing.
  if (question === undefined || question.kind === 'sample' || givenUp.length === 0) return question
  return { ...question, doubt: { givenUp } }
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

function rootOf(uri: string): { readonly uri: string; readonly name: string } {
  return { uri, name: path.basename(fileURLToPath(uri)) }
}
