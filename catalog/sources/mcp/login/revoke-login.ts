import type { FetchLike } from '@modelcontextprotocol/client'
import { selectClientAuthMethod } from '@modelcontextprotocol/client'
import { toLoginError } from './login-error.ts'
import { clientInformation } from './read-tokens.ts'
import type { ServerLogin } from './server-login.ts'

export type Revocation =
  | { readonly kind: 'revoked' }
  /** The authorization server has no way to end a login. */
  | { readonly kind: 'not-offered' }
  | { readonly kind: 'failed'; readonly reason: string }

/** Tells the authorization server that the tokens are no longer needed (RFC 7009). */
export async function revokeLogin(login: ServerLogin, fetch: FetchLike): Promise<Revocation> {
  const { revocationEndpoint, client } = login
  if (revocationEndpoint === undefined) return { kind: 'not-offered' }
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' }
  // With the refresh token every access token that came of it ends.
  const body = new URLSearchParams({ token: login.refreshToken ?? login.accessToken })
  body.set('token_type_hint', login.refreshToken === undefined ? 'access_token' : 'refresh_token')
  const method = selectClientAuthMethod(clientInformation(client), [...(login.tokenAuthMethods ?? [])])
  if (method === 'client_secret_basic') {
    const pair = [client.clientId, client.clientSecret ?? ''].map(encodeURIComponent).join(':')
    headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`
  } else {
    body.set('client_id', client.clientId)
    if (client.clientSecret !== undefined) body.set('client_secret', client.clientSecret)
  }
  try {
    const response = await fetch(revocationEndpoint, { method: 'POST', headers, body })
    await response.body?.cancel()
    if (response.ok) return { kind: 'revoked' }
    return { kind: 'failed', reason: `the authorization server answered with HTTP status ${response.status}` }
  } catch (error) {
    return { kind: 'failed', reason: toLoginError(error, 'ending the login').message }
  }
}
