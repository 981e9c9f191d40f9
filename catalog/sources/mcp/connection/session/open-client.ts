import {
  Client,
  ProtocolError,
  SdkHttpError,
  SseError,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/client'
import { isJsonObject } from '../../../../json.ts'
import { findCause, McpConnectError } from '../../errors.ts'
import { shownText } from '../../login/login-error.ts'
import { isStdioServer } from '../../server-config.ts'
import type { ServerWay } from '../../server-way.ts'
import type { RequestId, RequestWatch } from '../../transport/answer-guard.ts'
import { createTransport } from '../../transport/create-transport.ts'
import type { HttpTransport } from '../../transport/http/http-transport.ts'
import { checkEndpoint } from '../../transport/http/check-endpoint.ts'
import { StdioTransport } from '../../transport/stdio/stdio-transport.ts'
import type { PlainCalls } from './plain-calls.ts'
import { createPlainCalls } from './plain-calls.ts'
import { downReason, isTimeout } from '../down-reason.ts'
import type { QuestionBudget } from '../questions/question-budget.ts'
import { ServerQuestions } from '../questions/server-questions.ts'
import type { VersionVerdict } from '../knowledge/server-memory.ts'

export type TransportKind = VersionVerdict['transport']

export interface OpenClient {
  readonly client: Client
  readonly transport: HttpTransport | StdioTransport
  readonly transportKind: TransportKind
  readonly questions: ServerQuestions
  readonly plainCalls: PlainCalls
  /**
   * What is to be made of a probe without an answer: `ignored` where what came after it on the same pipe was answered, and the
   * server is no slow one of the newer kind; `unanswered` where nobody can tell. Absent where there was an answer, or no probe.
   */
  readonly probe?: 'ignored' | 'unanswered'
}

export interface OpenClientRequest extends ServerWay {
  readonly verdict: VersionVerdict | undefined
  readonly clientInfo: { readonly name: string; readonly version: string }
  readonly connectMs: number
  readonly budget: QuestionBudget
}

interface Step {
  readonly transport: TransportKind
  /** The newest that a server said it takes, where it refused the newest of ours. */
  readonly revision?: string
  /** `auto` asks with `server/discover` first, `legacy` says `initialize` at once. */
  readonly handshake: 'auto' | 'legacy'
}

/**
 * Connects and shakes hands, falling back from the current revision to the older ones and from Streamable HTTP to SSE.
 * @throws {McpConnectError} with a reason that an operator can act on
 */
export async function openClient(request: OpenClientRequest, signal: AbortSignal): Promise<OpenClient> {
  if (!isStdioServer(request.config)) checkEndpoint(request.config)
  let step: Step | undefined = firstStep(request)
  let firstFault: unknown
  while (step !== undefined) {
    try {
      const open = await attempt(request, step, signal)
      return isTimeout(firstFault) && step.transport === 'http' ? { ...open, probe: 'unanswered' } : open
    } catch (error) {
      firstFault ??= error
      const tried: Step = step
      step = signal.aborted ? undefined : (olderStep(step, error) ?? nextStep(step, error))
      // A process that ended says more in its second life than "the probe failed".
      if (step === undefined)
        throw error instanceof McpConnectError ? error : lastFault({ first: firstFault, error, tried })
    }
  }
  throw firstFault
}

interface LastFault {
  readonly first: unknown
  readonly error: unknown
  readonly tried: Step
}

/** Where the older transport was there, and went wrong later, what the newer one was answered is only half of it. */
function lastFault({ first, error, tried }: LastFault): unknown {
  const isThere =
    tried.transport === 'sse' && !(error instanceof SseError) && findCause(error, isHttpError) === undefined
  if (!isThere || first === error) return first
  const reasons = [first, error].map((each) => downReason(each).reason)
  return new McpConnectError('unreachable', reasons.join('; by the older transport (SSE): '), { cause: error })
}

function firstStep({ config, verdict }: OpenClientRequest): Step {
  if (verdict !== undefined) return { transport: verdict.transport, handshake: 'legacy' }
  return { transport: isStdioServer(config) ? 'stdio' : 'http', handshake: 'auto' }
}

/** By the specification a server answers with a revision of its own; one that refuses instead says which it takes. */
function olderStep(step: Step, error: unknown): Step | undefined {
  const refusal = findCause(error, (cause): cause is ProtocolError => cause instanceof ProtocolError)
  const data: unknown = refusal?.data
  const taken: unknown = isJsonObject(data) ? data['supported'] : undefined
  const revision = Array.isArray(taken) ? SUPPORTED_PROTOCOL_VERSIONS.find((known) => taken.includes(known)) : undefined
  if (revision === undefined || step.revision !== undefined) return undefined
  return { transport: step.transport, handshake: 'legacy', revision }
}

function nextStep(step: Step, error: unknown): Step | undefined {
  if (step.transport === 'stdio') {
    // Servers of some older SDKs end at a method that they do not know before `initialize`.
    const hasExited = error instanceof McpConnectError && error.code === 'exited'
    return hasExited && step.handshake === 'auto' ? { transport: 'stdio', handshake: 'legacy' } : undefined
  }
  if (findCause(error, isConnectError) !== undefined || step.transport === 'sse') return undefined
  const status = findCause(error, isHttpError)?.status
  // Of every request, and so nothing of what the server speaks. 403 is said too by proxies that let through what they know.
  if (status === 401 || status === 429) return undefined
  if (status !== undefined && OLDER_TRANSPORT.has(status)) return { transport: 'sse', handshake: 'legacy' }
  return step.handshake === 'auto' ? { transport: 'http', handshake: 'legacy' } : undefined
}

function revisionsUpTo(newest: string): string[] {
  return SUPPORTED_PROTOCOL_VERSIONS.slice(SUPPORTED_PROTOCOL_VERSIONS.indexOf(newest))
}

/** 400, 404 and 405 by the specification; the others are what frameworks say of a POST where they only have a stream. */
const OLDER_TRANSPORT: ReadonlySet<number> = new Set([400, 404, 405, 406, 410, 415, 422, 501])

async function attempt(request: OpenClientRequest, step: Step, signal: AbortSignal): Promise<OpenClient> {
  const questions = new ServerQuestions({ ...request, warn: request.journal.warn })
  const { watch, isAnswered, revision } = watchFirst(questions.watch)
  const transport = createTransport({ ...request, watch }, step.transport === 'sse' ? 'sse' : 'http')
  const client = new Client(
    { ...request.clientInfo },
    {
      capabilities: questions.capabilities,
      ...(step.revision !== undefined && { supportedProtocolVersions: revisionsUpTo(step.revision) }),
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: request.timing.probeMs } },
    },
  )
  const handlers: Pick<Client, 'onerror'> = { onerror: (error) => request.journal.debug(error.message) }
  Object.assign(client, handlers)
  questions.answerOver(client)
  const { promise: stopped, reject: stop } = Promise.withResolvers<never>()
  const onAbort = (): void => stop(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    signal.throwIfAborted()
    const prior = step.handshake === 'legacy' ? { prior: { kind: 'legacy' as const } } : {}
    const connecting = client.connect(transport, { timeout: request.connectMs, ...prior })
    await Promise.race([connecting, stopped])
    const { clientInfo } = request
    const plainCalls = createPlainCalls({ client, transport, clientInfo, capabilities: questions.capabilities })
    // Only a pipe is read in order.
    const isIgnored = step.handshake === 'auto' && step.transport === 'stdio' && !isAnswered()
    const opened = { client, transport, transportKind: step.transport, questions, plainCalls }
    return isIgnored ? { ...opened, probe: 'ignored' } : opened
  } catch (error) {
    // Before the close: a process that we end did not end by itself.
    const fault = connectFault(error, { transport, revision: revision() })
    await transport.close()
    throw fault
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

interface FirstAnswers {
  readonly watch: RequestWatch
  /** Whether the first request, which is the probe where there is one, was answered, in time or late. */
  readonly isAnswered: () => boolean
  /** What the server answered to `initialize` that it speaks. */
  readonly revision: () => unknown
}

function watchFirst(all: RequestWatch): FirstAnswers {
  let first: RequestId | undefined
  let hasAnswer = false
  let revision: unknown
  const watch: RequestWatch = {
    sent(id) {
      first ??= id
      all.sent(id)
    },
    answered(id) {
      hasAnswer ||= id === first
      all.answered(id)
    },
    greeted: (result) => (revision = result['protocolVersion']),
  }
  return { watch, isAnswered: () => hasAnswer, revision: () => revision }
}

interface Failed {
  readonly transport: OpenClient['transport']
  readonly revision: unknown
}

function connectFault(error: unknown, { transport, revision }: Failed): unknown {
  if (typeof revision === 'string' && !SUPPORTED_PROTOCOL_VERSIONS.includes(revision)) {
    const known = SUPPORTED_PROTOCOL_VERSIONS.join(', ')
    const message = `the server speaks revision "${shownText(revision)}" of the protocol, which is not known here (known are ${known}); use another version of the server`
    return new McpConnectError('unknown-revision', message, { cause: error })
  }
  if (hasEnded(transport)) return endFault(error, transport)
  if (isTimeout(error) && transport instanceof StdioTransport && transport.lastNoise !== undefined) {
    const message = `the server did not answer; its stdout has lines that are no messages, the last: ${transport.lastNoise}`
    return new McpConnectError('timed-out', message, { cause: error })
  }
  return findCause(error, isConnectError) ?? error
}

/** What an error before the first list of tools comes from: a request that is cut off by an end looks like one without an answer. */
export function endFault(error: unknown, transport: OpenClient['transport']): unknown {
  if (!hasEnded(transport)) return error
  const quote = transport.lastWords === undefined ? '' : `; it last wrote: ${transport.lastWords}`
  return new McpConnectError('exited', `the server ${transport.end} before it was ready${quote}`, { cause: error })
}

function hasEnded(transport: OpenClient['transport']): transport is StdioTransport {
  return transport instanceof StdioTransport && transport.end !== undefined
}

function isConnectError(error: unknown): error is McpConnectError {
  return error instanceof McpConnectError
}

function isHttpError(error: unknown): error is SdkHttpError {
  return error instanceof SdkHttpError
}
