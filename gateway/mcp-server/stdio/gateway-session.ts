import type { JsonObject } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { readJson } from '../../../catalog/read-json.ts'
import type { GatewayLink } from './gateway-link.ts'
import { GatewayGone } from './gateway-link.ts'
import { responseMessages } from './response-messages.ts'
import type { WriteMessage } from './write-answers.ts'
import { writeAnswers } from './write-answers.ts'

export interface GatewaySessionDeps {
  readonly link: GatewayLink
  readonly write: WriteMessage
  /** For people, beside the protocol. */
  readonly note: (text: string) => void
  readonly closing: AbortSignal
}

/** What a request of a session is sent with, and how to open another one. */
export interface OpenSession {
  readonly initialize: string
  readonly headers: Readonly<Record<string, string>>
}

/** The session that HTTP has and stdio has not, of a client of an older revision; it can be opened again when it is lost. */
export class GatewaySession {
  readonly #deps: GatewaySessionDeps
  #open: OpenSession | undefined
  /** Settled when no session is being opened. */
  #opening: Promise<unknown> = Promise.resolve()
  #listening: AbortController | undefined

  constructor(deps: GatewaySessionDeps) {
    this.#deps = deps
  }

  /** Of the session that is open now. */
  get headers(): Readonly<Record<string, string>> {
    return this.#open?.headers ?? {}
  }

  /** Once none is being opened; undefined where there is none. */
  async settled(): Promise<OpenSession | undefined> {
    await this.#opening
    return this.#open
  }

  /** The answer to `initialize`; from then on there is a session where one was granted. */
  async open(initialize: string, signal: AbortSignal): Promise<JsonObject> {
    const opening = this.#initialize(initialize, signal)
    this.#opening = opening.catch(ignore)
    return opening
  }

  /** Opens the session once more, unless another request that found it lost has done so. */
  async openAgain(lost: OpenSession): Promise<void> {
    if (this.#open === lost) {
      this.#open = undefined
      const opening = this.#reopen(lost).catch((error: unknown) => {
        // The next request tries again.
        this.#open = lost
        throw error
      })
      this.#opening = opening.catch(ignore)
      await opening
      return
    }
    await this.#opening
  }

  /** What the gateway says unasked comes on a stream of its own. */
  listen(): void {
    if (this.#open === undefined) return
    this.#listening?.abort()
    this.#listening = new AbortController()
    const signal = AbortSignal.any([this.#listening.signal, this.#deps.closing])
    void this.#keepListening(this.#open, signal).catch(ignore)
  }

  async end(): Promise<void> {
    if (this.#open === undefined) return
    const { headers } = this.#open
    // The gateway would find out by itself, later.
    await this.#deps.link.ask({ method: 'DELETE', headers }, AbortSignal.timeout(GOODBYE_MS)).catch(ignore)
  }

  /** Over a restart of the gateway too: a client that asks for nothing meanwhile hears of changes all the same. */
  async #keepListening(session: OpenSession, signal: AbortSignal): Promise<void> {
    const { link, write } = this.#deps
    const request = { method: 'GET', headers: { ...session.headers, accept: 'text/event-stream' } } as const
    while (!signal.aborted) {
      const response = await link.ask(request, signal).catch(ignore)
      // Where it is opened again, it is listened to anew.
      if (response?.status === 404 && (await this.#isOpenAgain(session))) return
      if (response?.ok === true) await writeAnswers(response, write).catch(ignore)
      else if (response !== undefined && response.status !== 404) return
      await link.untilRunning(signal)
    }
  }

  async #isOpenAgain(lost: OpenSession): Promise<boolean> {
    return this.openAgain(lost).then(
      () => true,
      () => false,
    )
  }

  async #initialize(initialize: string, signal: AbortSignal): Promise<JsonObject> {
    const response = await this.#deps.link.ask({ method: 'POST', body: initialize, headers: {} }, signal)
    const id = response.headers.get('mcp-session-id')
    for await (const text of responseMessages(response)) {
      const answer = readJson(text)
      if (!isJsonObject(answer) || answer['method'] !== undefined) continue
      const { result } = answer
      const version = isJsonObject(result) ? result['protocolVersion'] : undefined
      if (id !== null && typeof version === 'string') {
        this.#open = { initialize, headers: { 'mcp-session-id': id, 'mcp-protocol-version': version } }
      }
      return answer
    }
    throw new GatewayGone('the gateway did not answer "initialize"', { mayHaveRun: false })
  }

  async #reopen({ initialize }: OpenSession): Promise<void> {
    const { link, closing, note, write } = this.#deps
    await this.#initialize(initialize, closing)
    const response = await link.ask({ method: 'POST', body: INITIALIZED, headers: this.headers }, closing)
    await response.body?.cancel()
    this.listen()
    note('the session was opened again')
    // What changed meanwhile was told to nobody.
    await write(LIST_CHANGED)
  }
}

const LIST_CHANGED = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
const INITIALIZED = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
/** The client has gone already; its session ends by itself where this takes longer. */
const GOODBYE_MS = 500

/** Said already, to who waited for it. */
function ignore(): void {}
