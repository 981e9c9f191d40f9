import type { FastifyInstance } from 'fastify'
import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { Authenticate } from '../../auth/authenticate.ts'
import { isOperator } from '../../state/tokens/is-operator.ts'
import type { IssuedToken, TokenRequest } from '../../state/tokens/issue-token.ts'
import { TOKEN_DEFAULTS, issueToken } from '../../state/tokens/issue-token.ts'
import { createOneByOne } from '../../state/one-by-one.ts'
import { revokeToken } from '../../state/tokens/revoke-token.ts'
import { tokenView } from '../../state/tokens/token-view.ts'
import type { Store, TokenRecord } from '../../store/store.ts'
import { checkFields } from '../check-fields.ts'
import { HttpError } from '../../http/http-error.ts'

export interface TokenRoutesDeps {
  readonly authenticate: Authenticate
  readonly store: Pick<Store, 'putToken' | 'listTokens'>
  readonly stateDirectory: string
  /** The token of `DRAWBRIDGE_TOKEN`; it is in no store. */
  readonly environmentToken: TokenRecord | undefined
  /** What is still open with it has to end. */
  readonly onRevoked: (tokenId: string) => void
  readonly now: () => number
}

/** `/v1/tokens`: an admin makes, lists and revokes the tokens of its tenant, an operator those of all. */
export function registerTokenRoutes(app: FastifyInstance, deps: TokenRoutesDeps): void {
  const oneByOne = createOneByOne()
  app.get('/v1/tokens', async (request) => {
    const { token } = await deps.authenticate(request, 'admin')
    const own = deps.environmentToken === undefined ? [] : [deps.environmentToken]
    const all = [...own, ...(await deps.store.listTokens())]
    return { tokens: all.filter(({ tenant }) => isOperator(token) || tenant === token.tenant).map(tokenView) }
  })
  app.post<{ Body: JsonValue }>('/v1/tokens', async (request, reply) => {
    const { token } = await deps.authenticate(request, 'admin')
    const asked = readRequest(request.body, token)
    const issued = await oneByOne(() => issueToken(asked, { store: deps.store, nowMs: deps.now() }))
    if (issued.kind !== 'issued') throw refusal(issued)
    const { record, token: plain } = issued.made
    request.log.info({ token: record.id, tenant: record.tenant, scopes: record.scopes, by: token.id }, 'token made')
    return reply
      .code(201)
      .header('cache-control', 'no-store')
      .send({ ...tokenView(record), token: plain })
  })
  app.post<{ Params: { readonly id: string } }>('/v1/tokens/:id/revoke', async (request) => {
    const { token } = await deps.authenticate(request, 'admin')
    const { id } = request.params
    const { store, stateDirectory, environmentToken } = deps
    if (id === environmentToken?.id && isOperator(token)) {
      throw new HttpError('conflict', 'this token is DRAWBRIDGE_TOKEN; start the gateway without it')
    }
    const revoked = await oneByOne(() =>
      revokeToken(
        { id, ...(!isOperator(token) && { tenant: token.tenant }) },
        { store, stateDirectory, nowMs: deps.now(), hasEnvironmentToken: environmentToken !== undefined },
      ),
    )
    if (revoked.kind === 'absent')
      throw new HttpError('not_found', `there is no token ${JSON.stringify(id.slice(0, 100))}`)
    if (revoked.kind === 'last-admin') throw new HttpError('conflict', revoked.message)
    deps.onRevoked(id)
    request.log.info({ token: id, by: token.id }, 'token revoked')
    return tokenView(revoked.record)
  })
}

const BODY_KEYS = ['name', 'tenant', 'scopes', 'agents', 'channels']

function readRequest(body: JsonValue | undefined, by: TokenRecord): TokenRequest {
  if (!isJsonObject(body))
    throw invalid('the body is { "name": "…", "tenant"?, "scopes"?, "agents"?, "channels"? }', 'name')
  checkFields(body, BODY_KEYS)
  const { name, tenant = by.tenant } = body
  if (typeof name !== 'string') throw invalid('name is a text that says who uses the token', 'name')
  if (typeof tenant !== 'string') throw invalid('tenant is a text', 'tenant')
  if (tenant !== by.tenant && !isOperator(by)) {
    throw new HttpError('forbidden', `this token makes tokens of tenant "${by.tenant}" alone`, { param: 'tenant' })
  }
  const agents = readTexts(body, 'agents') ?? by.agents
  const beyond = agents?.find((agent) => by.agents?.includes(agent) === false)
  if (beyond !== undefined) {
    const message = `this token may not use agent ${JSON.stringify(beyond)}, and so gives it to no other`
    throw new HttpError('forbidden', message, { param: 'agents' })
  }
  const channels = readTexts(body, 'channels')
  const scopes = readTexts(body, 'scopes') ?? TOKEN_DEFAULTS.scopes
  return { name, tenant, scopes, ...(agents && { agents }), ...(channels && { channels }) }
}

function readTexts(body: JsonObject, key: string): readonly string[] | undefined {
  const value = body[key]
  if (value === undefined) return undefined
  const texts = Array.isArray(value) ? value.filter((each) => typeof each === 'string') : undefined
  if (texts === undefined || !Array.isArray(value) || texts.length < value.length) {
    throw invalid(`${key} is a list of texts`, key)
  }
  return texts
}

function refusal({ kind, message, field }: Exclude<IssuedToken, { kind: 'issued' }>): HttpError {
  return kind === 'name-taken' ? new HttpError('conflict', message, { param: field }) : invalid(message, field)
}

function invalid(message: string, param: string): HttpError {
  return new HttpError('invalid_request', message, { param })
}
