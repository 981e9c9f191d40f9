import type { AuthInfo } from '@modelcontextprotocol/server'
import { isInitializeRequest } from '@modelcontextprotocol/server'
import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { Authenticated } from '../../auth/authenticate.ts'
import { MANNERS_MAX, SESSION_IDLE_MS, SESSIONS_MAX, SESSIONS_PER_TOKEN_MAX } from '../limits.ts'
import { takesStreams } from '../passthrough/relaying/fit-answer.ts'
import { accepts, acceptingAll, fitted } from './accepts.ts'
import { beginAgain } from './begin-again.ts'
import type { CreateSessionDeps, Session, SessionParts } from './create-session.ts'
import { createSession } from './create-session.ts'
import type { Inbound } from './is-legacy.ts'
import { noSession } from './no-session.ts'
import { readSessionCall } from './read-session-call.ts'
import { requestIdOf, rpcError } from './rpc-error.ts'
import type { SessionIds, SessionStart } from './session-ids.ts'
import type { AnswerStream } from './session-posts.ts'

export interface LegacyRequest {
  readonly request: Request
  readonly body: JsonValue | undefined
  readonly authInfo: AuthInfo
  readonly authenticated: Authenticated
  /** Resolves when the answer was sent, or its client has gone. */
  readonly sent: Promise<unknown>
}

export interface PlainRequest extends Pick<LegacyRequest, 'authenticated' | 'sent'> {
  readonly inbound: Inbound
  /** Made where it is taken. */
  readonly enter: () => { readonly authInfo: AuthInfo; readonly stream: AnswerStream }
}

export interface LegacySessions {
  serve(asked: LegacyRequest): Promise<Response>
  /** Takes a call of a session where it is as plain as one that was served before; false leaves it to `serve`. */
  take(asked: PlainRequest): boolean
  /** Tells every session of the agent that its tools have changed. */
  toolsChanged(agent: string): void
  agents(): ReadonlySet<string>
  count(): number
  /** Ends what nobody has used for long. */
  sweep(): void
  /** Ends those of a token. */
  endOf(tokenId: string): void
  close(): Promise<void>
}

export interface LegacySessionsDeps extends CreateSessionDeps {
  readonly ids: SessionIds
  readonly bounds?: { readonly all: number; readonly perToken: number; readonly idleMs: number }
}

const BOUNDS = { all: SESSIONS_MAX, perToken: SESSIONS_PER_TOKEN_MAX, idleMs: SESSION_IDLE_MS }

/** Clients of revisions before 2026-07-28: a protocol object each, from `initialize` to DELETE or long silence. */
export function createLegacySessions(deps: LegacySessionsDeps): LegacySessions {
  return new Sessions(deps)
}

class Sessions implements LegacySessions {
  readonly #deps: LegacySessionsDeps
  readonly #bounds: typeof BOUNDS
  /** In order of last use. */
  readonly #byId = new Map<string, Session>()
  /** Of those that are being opened again, by id. */
  readonly #opening = new Map<string, Promise<Session | undefined>>()

  constructor(deps: LegacySessionsDeps) {
    this.#deps = deps
    this.#bounds = deps.bounds ?? BOUNDS
  }

  async serve(asked: LegacyRequest): Promise<Response> {
    const id = asked.request.headers.get('mcp-session-id')
    const begins = isInitializeRequest(asked.body)
    const found = id === null ? undefined : begins ? this.#byId.get(id) : await this.#find(id, asked)
    if (found === 'no room') return noRoom(asked.body)
    // Another's session is not there: neither its id nor its end can be found out.
    const session = found !== undefined && isOwn(found, asked.authenticated) ? found : undefined
    // Many begin anew with the id of the session that has ended.
    if (session === undefined && begins) return this.#open(asked)
    if (session === undefined) return noSession(asked)
    const given = await session.requests.take(asked.body, () => this.#handle(session, asked))
    const answer = await fitted(session.transport, asked.request, given)
    this.#note(session, asked, answer)
    return answer
  }

  take({ inbound, authenticated, sent, enter }: PlainRequest): boolean {
    const id = inbound.headers['mcp-session-id']
    const session = typeof id === 'string' ? this.#byId.get(id) : undefined
    if (session === undefined || !isOwn(session, authenticated)) return false
    const call = readSessionCall(inbound)
    if (call === undefined || !session.known.has(call.manner) || session.posts.has(call.message.id)) return false
    this.#hold(session, sent)
    const { authInfo, stream } = enter()
    session.posts.give(call.message, authInfo, stream)
    return true
  }

  toolsChanged(agent: string): void {
    for (const session of this.#byId.values()) {
      if (session.agent === agent) session.teller.changed()
    }
  }

  agents(): ReadonlySet<string> {
    return new Set([...this.#byId.values()].map((session) => session.agent))
  }

  count(): number {
    return this.#byId.size
  }

  sweep(): void {
    const oldest = this.#deps.now() - this.#bounds.idleMs
    for (const session of this.#byId.values())
      if (session.active === 0 && session.usedMs < oldest) void this.#end(session)
  }

  endOf(tokenId: string): void {
    for (const session of this.#byId.values()) if (session.tokenId === tokenId) void this.#end(session)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#byId.values()].map((session) => this.#end(session)))
  }

  async #open(asked: LegacyRequest): Promise<Response> {
    const { id: tokenId } = asked.authenticated.token
    if (!this.#makeRoom(tokenId)) return noRoom(asked.body)
    const { authenticated, request, body } = asked
    const readsStreams = accepts(request, 'text/event-stream')
    const start = { tokenId, agent: authenticated.caller.agent, readsStreams, initialize: paramsOf(body) }
    const session = await this.#create({ id: this.#deps.ids.mint(start), authenticated, readsStreams })
    const answer = await this.#handle(session, asked)
    // What the transport refused has begun no session.
    if (session.transport.sessionId === undefined) void this.#end(session)
    return answer
  }

  async #create(parts: Omit<SessionParts, 'onEnded'>): Promise<Session> {
    const { id } = parts
    const session = await createSession({ ...parts, onEnded: () => this.#byId.delete(id) }, this.#deps)
    this.#byId.set(id, session)
    return session
  }

  /** One that began before the gateway was started is opened again: its client knows nothing of a start. */
  async #find(id: string, asked: LegacyRequest): Promise<Session | 'no room' | undefined> {
    const known = this.#opening.get(id) ?? this.#byId.get(id)
    if (known !== undefined) return known
    const start = this.#deps.ids.startOf(id)
    if (start === undefined || !isOwn(start, asked.authenticated)) return undefined
    if (!this.#makeRoom(asked.authenticated.token.id)) return 'no room'
    this.#deps.ids.openedAgain(id)
    const opening = this.#openAgain(id, start, asked).finally(() => this.#opening.delete(id))
    this.#opening.set(id, opening)
    return opening
  }

  async #openAgain(id: string, start: SessionStart, { authenticated, authInfo }: LegacyRequest) {
    const session = await this.#create({ id, authenticated, readsStreams: start.readsStreams })
    if (await beginAgain(session, start, authInfo)) return session
    void this.#end(session)
    return undefined
  }

  async #handle(session: Session, { request, body, authInfo, sent }: LegacyRequest): Promise<Response> {
    this.#hold(session, sent)
    // The newest is the client's: one whose connection was lost unseen would keep it from ever listening again.
    const isListening = request.method === 'GET' && takesStreams(request.headers.get('accept') ?? undefined)
    if (isListening) session.transport.closeStandaloneSSEStream()
    const answer = await session.transport.handleRequest(acceptingAll(request), {
      authInfo,
      ...(body !== undefined && { parsedBody: body }),
    })
    if (isListening && answer.ok) session.teller.opened(sent)
    return answer
  }

  #hold(session: Session, sent: Promise<unknown>): void {
    this.#use(session, 1)
    void sent.finally(() => this.#use(session, -1))
  }

  /** Only headers in which it was let in tell another call of the same manner from one that is to be refused. */
  #note({ known }: Session, { request, body }: LegacyRequest, { status, headers }: Response): void {
    const isStream = status === 200 && headers.get('content-type') === 'text/event-stream'
    const { method, headers: given } = request
    const call = isStream ? readSessionCall({ method, headers: Object.fromEntries(given), body }) : undefined
    if (call !== undefined && known.size < MANNERS_MAX) known.add(call.manner)
  }

  #use(session: Session, change: 1 | -1): void {
    session.active += change
    session.usedMs = this.#deps.now()
    if (this.#byId.delete(session.id)) this.#byId.set(session.id, session)
  }

  /** Ends the session that was idle longest where a bound is met; false where all are in use. */
  #makeRoom(tokenId: string): boolean {
    const own = [...this.#byId.values()].filter((session) => session.tokenId === tokenId)
    if (own.length >= this.#bounds.perToken) return this.#endIdle(own)
    return this.#byId.size < this.#bounds.all || this.#endIdle([...this.#byId.values()])
  }

  #endIdle(sessions: readonly Session[]): boolean {
    const idle = sessions.find((session) => session.active === 0)
    if (idle !== undefined) void this.#end(idle)
    return idle !== undefined
  }

  #end(session: Session): Promise<void> {
    this.#byId.delete(session.id)
    return session.server.close().catch(this.#deps.onError)
  }
}

function noRoom(body: JsonValue | undefined): Response {
  const message = 'too many sessions are in use; end one with DELETE, or try again later'
  return rpcError(503, { code: -32_000, message, id: requestIdOf(body) })
}

function paramsOf(body: JsonValue | undefined): JsonObject {
  const params = isJsonObject(body) ? body['params'] : undefined
  return isJsonObject(params) ? params : {}
}

function isOwn(session: Pick<Session, 'tokenId' | 'agent'>, { token, caller }: Authenticated): boolean {
  return session.tokenId === token.id && session.agent === caller.agent
}
