import type { FetchLike } from '@modelcontextprotocol/client'
import { McpConnectError } from '../errors.ts'
import { plainHeaders } from '../transport/http/plain-headers.ts'
import { shownText } from './login-error.ts'
import type { LoginKeeper } from './login-keeper.ts'
import { readChallenge } from './read-challenge.ts'

export interface AuthorizedFetchDeps {
  readonly server: string
  /** Tokens go nowhere else. */
  readonly origin: string
  readonly keeper: LoginKeeper
}

/**
 * Sends the token of the login with each request to the server. A refused one is renewed and the request sent once
 * more: a server that answers 401 has run nothing. The SDK's own way does not know which token was refused, and would
 * renew once for each of the calls that waited.
 */
export function createAuthorizedFetch(fetch: FetchLike, deps: AuthorizedFetchDeps): FetchLike {
  const { keeper, origin, server } = deps
  const isOwn = createOwnership(origin)
  return async (input, init) => {
    if (!isOwn(input)) return fetch(input, init)
    const sent = await keeper.token()
    const first = await fetch(input, withToken(init, sent))
    checkScope(first, { sent, server, keeper, url: String(input) })
    if (first.status !== 401) return first
    await first.body?.cancel()
    const next = await keeper.replace(sent)
    const second = await fetch(input, withToken(init, next))
    checkScope(second, { sent: next, server, keeper, url: String(input) })
    if (second.status !== 401) return second
    await second.body?.cancel()
    throw keeper.reject(next)
  }
}

/** Nearly every request goes where the last one went. */
function createOwnership(origin: string): (input: string | URL) => boolean {
  let last: string | undefined
  return (input) => {
    const href = String(input)
    if (href === last) return true
    const isOwn = new URL(href).origin === origin
    if (isOwn) last = href
    return isOwn
  }
}

function withToken(init: RequestInit | undefined, token: string | undefined): RequestInit | undefined {
  if (token === undefined) return init
  return { ...init, headers: { ...plainHeaders(init?.headers), authorization: `Bearer ${token}` } }
}

interface Sent extends Pick<AuthorizedFetchDeps, 'keeper'> {
  readonly sent: string | undefined
  readonly server: string
  readonly url: string
}

function checkScope(response: Response, { sent, server, keeper, url }: Sent): void {
  if (response.status !== 403 || sent === undefined) return
  const { error, scope = '' } = readChallenge(response, url)
  if (error !== 'insufficient_scope') return
  void response.body?.cancel()
  // A login for what is wanted now alone would take away what the other tools have.
  const words = new Set([...(scope === '' ? [] : (keeper.scope ?? '').split(' ')), ...scope.split(' ')])
  const wanted = shownText([...words].filter((word) => word !== '').join(' ')).replaceAll(/["'\\]/g, '')
  const flag = wanted === '' ? '' : ` --scope "${wanted}"`
  const message = `the login does not allow this; run "drawbridge mcp login ${server}"${flag === '' ? '' : ` with${flag}`}`
  throw new McpConnectError('insufficient-scope', message)
}
