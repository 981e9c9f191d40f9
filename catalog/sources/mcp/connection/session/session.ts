import { setTimeout as pause } from 'node:timers/promises'
import type { CallToolResult, Client, Progress } from '@modelcontextprotocol/client'
import { INVALID_PARAMS, METHOD_NOT_FOUND, ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client'
import type { JsonObject } from '../../../../json.ts'
import { startPatience } from '../../../../patience.ts'
import type { CallProgress, ExecuteContext, ToolResult } from '../../../../tool.ts'
import { ToolUnavailable } from '../../../../tool.ts'
import type { McpTiming } from '../../limits.ts'
import { PROGRESS_TEXT_MAX_LENGTH } from '../../limits.ts'
import type { CallFault } from '../../tools/call-fault.ts'
import { readCallFault } from '../../tools/call-fault.ts'
import type { ListBounds, ToolList } from '../../tools/list-tools.ts'
import { listTools } from '../../tools/list-tools.ts'
import { withLinkedResources } from '../../tools/linked-resources.ts'
import { readToolResult } from '../../tools/tool-result.ts'
import { rawResultOf } from '../../transport/answer-guard.ts'
import { isBusy } from '../../transport/http/server-busy.ts'
import { listenForChanges } from './listen-for-changes.ts'
import type { OpenClient } from './open-client.ts'
import type { CallableTool } from './send-call.ts'
import { sendCall } from './send-call.ts'
import type { TimedCall } from './send-when-ready.ts'
import { sendWhenReady } from './send-when-ready.ts'
import type { SessionRequest } from './session-requests.ts'
import { offers, sendRequest } from './session-requests.ts'
import { unhurried } from './unhurried.ts'

export interface SessionDeps {
  readonly timing: McpTiming
  readonly clean: (text: string) => string
  /** The list of tools may have changed, or the connection may be broken. */
  readonly onDoubt: () => void
}

export interface SessionCall extends TimedCall {
  readonly tool: CallableTool
  readonly args: JsonObject
  readonly onProgress?: ExecuteContext['onProgress']
  readonly ask?: ExecuteContext['ask']
  readonly caller: ExecuteContext['caller']
}

export type CallAttempt =
  | { readonly kind: 'result'; readonly result: ToolResult }
  | { readonly kind: 'fault'; readonly fault: CallFault }

/** One connection to a server, from its handshake to its end. */
export class Session {
  /** Resolves with the reason when the session has ended; never rejects. */
  readonly ended: Promise<string>
  readonly #open: OpenClient
  readonly #deps: SessionDeps
  readonly #stop = new AbortController()
  readonly #end: (reason: string) => void
  #closed: Promise<void> | undefined
  /** Why it was ended from here, where it was. */
  #endedHere: string | undefined
  #retirement: Promise<void> | undefined
  #callsUnderWay = 0
  readonly #idle = Promise.withResolvers<void>()
  #doubtedMs = Number.NEGATIVE_INFINITY

  constructor(open: OpenClient, deps: SessionDeps) {
    this.#open = open
    this.#deps = deps
    const { promise, resolve } = Promise.withResolvers<string>()
    this.ended = promise
    this.#end = resolve
    const handlers: Pick<Client, 'onclose'> = {
      onclose: () => void this.end(`the server ${open.transport.end ?? 'closed the connection'}`),
    }
    Object.assign(open.client, handlers)
    open.client.setNotificationHandler('notifications/tools/list_changed', () => deps.onDoubt())
  }

  get transportKind(): OpenClient['transportKind'] {
    return this.#open.transportKind
  }

  get protocolVersion(): string | undefined {
    return this.#open.client.getNegotiatedProtocolVersion()
  }

  get serverInfo(): { readonly name: string; readonly version: string } | undefined {
    const info = this.#open.client.getServerVersion()
    return info === undefined ? undefined : { name: info.name, version: info.version }
  }

  get isLegacy(): boolean {
    return this.#open.client.getProtocolEra() === 'legacy'
  }

  /** Follows changes of the tool list for as long as the session lives. */
  watch(): void {
    const { client } = this.#open
    // A broken stream of an HTTP server is all the sign there is that it restarted.
    const handlers: Pick<Client, 'onerror'> = { onerror: () => this.#doubtSometimes() }
    if (this.transportKind !== 'stdio') Object.assign(client, handlers)
    const tools = client.getServerCapabilities()?.tools
    if (!this.isLegacy && tools?.listChanged === true) {
      const { recheckMs } = this.#deps.timing
      void listenForChanges(client, { recheckMs, onDoubt: this.#deps.onDoubt }, this.#stop.signal)
    }
  }

  async listTools(bounds: Pick<ListBounds, 'maxTools' | 'pageMs'>, signal: AbortSignal): Promise<ToolList> {
    const hasParamHeaders = !this.isLegacy && this.transportKind !== 'stdio'
    const ofRevision = { hasParamHeaders, hasEmptyCursors: !this.isLegacy }
    return listTools(this.#open.client, { ...bounds, ...ofRevision }, AbortSignal.any([signal, this.#stop.signal]))
  }

  /**
   * Asks for something beside tools; undefined where the server has nothing of the kind. Rejects with the signal's reason
   * when that aborts, else with the fault's error.
   */
  async request(request: SessionRequest, signal: AbortSignal): Promise<JsonObject | undefined> {
    const { client, questions } = this.#open
    if (!offers(client, request.method)) return undefined
    this.#callsUnderWay += 1
    try {
      return await questions.beside(request, () => sendRequest(client, request, signal))
    } catch (error) {
      signal.throwIfAborted()
      throw this.#readFault(error, request.waitMs).error
    } finally {
      this.#callsUnderWay -= 1
      this.#settleIdle()
    }
  }

  /** Sends one call. Rejects with the signal's reason when that aborts; every other end is a value. */
  async call(request: SessionCall, signal: AbortSignal): Promise<CallAttempt> {
    const { client, questions } = this.#open
    const { tool, args, idleMs, onProgress, ask, caller } = request
    if (client.transport === undefined) {
      const error = new ToolUnavailable('the server is not connected; nothing was run')
      return { kind: 'fault', fault: { error, session: 'kept' } }
    }
    this.#callsUnderWay += 1
    // Our own clock, since the SDK's cannot be stopped while a person thinks.
    const patience = startPatience({ ms: idleMs, reason: silent }, signal)
    try {
      const result = await questions.during(
        { ask: unhurried(ask, patience.pause), caller, tool: tool.name, signal: patience.signal },
        (input) => {
          patience.restart()
          // That somebody listens is what makes a server tell of progress.
          const heard = (step: Progress): void => {
            patience.restart()
            onProgress?.(this.#readStep(step))
          }
          const send = (): Promise<CallToolResult> =>
            sendCall(this.#open, { tool, args, input, onProgress: heard }, patience.signal)
          const { busyPauseMs } = this.#deps.timing
          return sendWhenReady(send, { ...request, busyPauseMs, pauseClock: patience.pause }, patience.signal)
        },
      )
      patience.end()
      return { kind: 'result', result: await this.#withLinks(readToolResult(rawResultOf(result)), caller, signal) }
    } catch (error) {
      signal.throwIfAborted()
      // It may be the tool that it knows no longer.
      if (error instanceof ProtocolError && UNKNOWN.has(error.code)) this.#doubtSometimes()
      return { kind: 'fault', fault: this.#readFault(patience.isOver ? silent() : error, idleMs) }
    } finally {
      patience.end()
      this.#callsUnderWay -= 1
      this.#settleIdle()
    }
  }

  async #withLinks(result: ToolResult, caller: ExecuteContext['caller'], signal: AbortSignal): Promise<ToolResult> {
    const { client, questions } = this.#open
    if (client.getServerCapabilities()?.resources === undefined) return result
    const options = { signal, timeout: this.#deps.timing.linkReadMs }
    const method = 'resources/read'
    const linked = await withLinkedResources(result, (uri) =>
      questions.beside({ method, caller }, () => client.request({ method, params: { uri } }, options)),
    )
    signal.throwIfAborted()
    return linked
  }

  #readStep({ progress, total, message }: Progress): CallProgress {
    return {
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message: this.#deps.clean(message.slice(0, PROGRESS_TEXT_MAX_LENGTH)) }),
    }
  }

  /**
   * Whether a request in this session is still answered, be it that the server knows no ping. What it was greeted by it has
   * known: if it does not any more, another one has taken its place.
   */
  async answersPing(signal: AbortSignal): Promise<boolean> {
    const { client } = this.#open
    const options = { signal, timeout: this.#deps.timing.reopenMs }
    try {
      await (this.isLegacy ? client.ping(options) : client.discover(options))
      return true
    } catch (error) {
      return isBusy(error) || (this.isLegacy && error instanceof ProtocolError && error.code === METHOD_NOT_FOUND)
    }
  }

  readFault(error: unknown): CallFault {
    return this.#readFault(error, this.#deps.timing.listPageMs)
  }

  /**
   * Takes no more calls, but lets those under way hear for themselves how they end: their own answer, or that the server
   * does not know the session either. A process is ended at once, because two of one server would be in each other's way.
   */
  retire(reason: string): void {
    if (this.transportKind === 'stdio') {
      void this.end(reason)
      return
    }
    if (this.#retirement !== undefined) return
    this.#end(reason)
    const patience = pause(this.#deps.timing.reopenMs, undefined, { signal: this.#stop.signal, ref: false })
    this.#retirement = Promise.race([this.#idle.promise, patience])
      .catch(() => {
        // Ended in the meantime, which is what was waited for.
      })
      .then(() => this.end(reason))
    this.#settleIdle()
  }

  /** Settles when a retired session has ended; absent on one that was not retired. */
  get retirement(): Promise<void> | undefined {
    return this.#retirement
  }

  /** Safe to call twice. */
  async end(reason: string): Promise<void> {
    if (this.#open.transport.end === undefined) this.#endedHere ??= reason
    this.#end(reason)
    this.#stop.abort()
    this.#closed ??= this.#open.transport.close()
    await this.#closed
  }

  #settleIdle(): void {
    if (this.#retirement !== undefined && this.#callsUnderWay === 0) this.#idle.resolve()
  }

  #readFault(error: unknown, idleMs: number): CallFault {
    const { transport } = this.#open
    const hasSessionId = 'sessionId' in transport && transport.sessionId !== undefined
    const isHttp = this.transportKind !== 'stdio'
    const { end } = transport
    const { clean } = this.#deps
    return readCallFault(error, { hasSessionId, isHttp, end, endedHere: this.#endedHere, idleMs, clean })
  }

  #doubtSometimes(): void {
    const nowMs = performance.now()
    if (nowMs - this.#doubtedMs < this.#deps.timing.recheckMs) return
    this.#doubtedMs = nowMs
    this.#deps.onDoubt()
  }
}

/** How servers refuse a tool that they do not have, among others. */
const UNKNOWN: ReadonlySet<number> = new Set([METHOD_NOT_FOUND, INVALID_PARAMS])

/** As the SDK says it of its own clock. */
function silent(): SdkError {
  return new SdkError(SdkErrorCode.RequestTimeout, 'request timed out')
}
