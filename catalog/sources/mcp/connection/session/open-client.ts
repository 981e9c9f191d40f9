import { Client, SdkHttpError } from '@modelcontextprotocol/client'
import { findCause, McpConnectError } from '../../errors.ts'
import { isStdioServer } from '../../server-config.ts'
import type { ServerWay } from '../../server-way.ts'
import type { RequestId, RequestWatch } from '../../transport/answer-guard.ts'
import { createTransport } from '../../transport/create-transport.ts'
import type { HttpTransport } from '../../transport/http/http-transport.ts'
import { checkUrl } from '../../transport/http/http-transport.ts'
import { StdioTransport } from '../../transport/stdio/stdio-transport.ts'
import type { PlainCalls } from './plain-calls.ts'
import { createPlainCalls } from './plain-calls.ts'
import { isTimeout } from '../down-reason.ts'
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
  /** It answered what came after the probe and not the probe: it is of the older kind, and no slow one of the newer. */
  readonly hasIgnoredProbe: boolean
}

export interface OpenClientRequest extends ServerWay {
  readonly verdict: VersionVerdict | undefined
  readonly clientInfo: { readonly name: string; readonly version: string }
  readonly connectMs: number
  readonly budget: QuestionBudget
}

interface Step {
  readonly transport: TransportKind
  /** `auto` asks with `server/discover` first, `legacy` says `initialize` at once. */
  readonly handshake: 'auto' | 'legacy'
}

/**
 * Connects and shakes hands, falling back from the current revision to the older ones and from Streamable HTTP to SSE.
 * @throws {McpConnectError} with a reason that an operator can act on
 */
export async function openClient(request: OpenClientRequest, signal: AbortSignal): Promise<OpenClient> {
  if (!isStdioServer(request.config)) checkUrl(request.config)
  let step: Step | undefined = firstStep(request)
  let firstFault: unknown
  while (step !== undefined) {
    try {
      return await attempt(request, step, signal)
    } catch (error) {
      firstFault ??= error
      step = signal.aborted ? undefined : nextStep(step, error)
      // A process that ended says more in its second life than "the probe failed".
      if (step === undefined) throw error instanceof McpConnectError ? error : firstFault
    }
  }
  throw firstFault
}

function firstStep({ config, verdict }: OpenClientRequest): Step {
  if (verdict !== undefined) return { transport: verdict.transport, handshake: 'legacy' }
  return { transport: isStdioServer(config) ? 'stdio' : 'http', handshake: 'auto' }
}

function nextStep(step: Step, error: unknown): Step | undefined {
  if (step.transport === 'stdio') {
    // Servers of some older SDKs end at a method that they do not know before `initialize`.
    const hasExited = error instanceof McpConnectError && error.code === 'exited'
    return hasExited && step.handshake === 'auto' ? { transport: 'stdio', handshake: 'legacy' } : undefined
  }
  if (findCause(error, isConnectError) !== undefined || step.transport === 'sse') return undefined
  const status = findCause(error, isHttpError)?.status
  if (status === 401 || status === 403) return undefined
  if (status !== undefined && OLDER_TRANSPORT.has(status)) return { transport: 'sse', handshake: 'legacy' }
  return step.handshake === 'auto' ? { transport: 'http', handshake: 'legacy' } : undefined
}

/** 400, 404 and 405 by the specification; the others are what frameworks say of a POST where they only have a stream. */
const OLDER_TRANSPORT: ReadonlySet<number> = new Set([400, 404, 405, 406, 410, 415, 422, 501])

async function attempt(request: OpenClientRequest, step: Step, signal: AbortSignal): Promise<OpenClient> {
  const questions = new ServerQuestions({ ...request, warn: request.journal.warn })
  const { watch, isAnswered } = watchFirst(questions.watch)
  const transport = createTransport({ ...request, watch }, step.transport === 'sse' ? 'sse' : 'http')
  const client = new Client(
    { ...request.clientInfo },
    {
      capabilities: questions.capabilities,
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
    const hasIgnoredProbe = step.handshake === 'auto' && step.transport === 'stdio' && !isAnswered()
    return { client, transport, transportKind: step.transport, questions, plainCalls, hasIgnoredProbe }
  } catch (error) {
    // Before the close: a process that we end did not end by itself.
    const fault = connectFault(error, transport)
    await transport.close()
    throw fault
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Whether the first request, which is the probe where there is one, was answered, in time or late. */
function watchFirst(all: RequestWatch): { readonly watch: RequestWatch; readonly isAnswered: () => boolean } {
  let first: RequestId | undefined
  let hasAnswer = false
  const watch: RequestWatch = {
    sent(id) {
      first ??= id
      all.sent(id)
    },
    answered(id) {
      hasAnswer ||= id === first
      all.answered(id)
    },
  }
  return { watch, isAnswered: () => hasAnswer }
}

function connectFault(error: unknown, transport: OpenClient['transport']): unknown {
  if (transport instanceof StdioTransport && transport.end !== undefined) {
    const quote = transport.lastWords === undefined ? '' : `; it last wrote: ${transport.lastWords}`
    return new McpConnectError('exited', `the server ${transport.end} before it was ready${quote}`, { cause: error })
  }
  if (isTimeout(error) && transport instanceof StdioTransport && transport.lastNoise !== undefined) {
    const message = `the server did not answer; its stdout has lines that are no messages, the last: ${transport.lastNoise}`
    return new McpConnectError('timed-out', message, { cause: error })
  }
  return findCause(error, isConnectError) ?? error
}

function isConnectError(error: unknown): error is McpConnectError {
  return error instanceof McpConnectError
}

function isHttpError(error: unknown): error is SdkHttpError {
  return error instanceof SdkHttpError
}
