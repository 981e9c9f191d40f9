import type { FastifyInstance } from 'fastify'
import type { Authenticate } from '../../auth/authenticate.ts'
import { isOperator } from '../../state/tokens/is-operator.ts'
import type { ChainedReceipt, ReceiptChain } from '../../store/receipt-chain.ts'
import { readReceipt } from '../../store/receipt-chain.ts'
import type { Store, TokenRecord } from '../../store/store.ts'
import { HttpError } from '../../http/http-error.ts'
import { RECEIPTS_PAGE_ROWS, RECEIPTS_PAGE_ROWS_MAX } from '../limits.ts'

export interface ReceiptRoutesDeps {
  readonly authenticate: Authenticate
  readonly store: Pick<Store, 'getReceipt' | 'readReceipts' | 'listReceiptChains'>
}

type Query = Readonly<Record<string, unknown>>

/** `/v1/receipts`: the chain of one's own tenant; for an operator, by `tenant`, of any. */
export function registerReceiptRoutes(app: FastifyInstance, deps: ReceiptRoutesDeps): void {
  app.get<{ Querystring: Query }>('/v1/receipts', async (request) => {
    const { token } = await deps.authenticate(request, 'tools')
    const chain = chainOf(request.query['tenant'], token, await deps.store.listReceiptChains())
    const limit = readNumber(request.query, 'limit', { fallback: RECEIPTS_PAGE_ROWS, max: RECEIPTS_PAGE_ROWS_MAX })
    const after = placeToStart(request.query, chain)
    const rows = await deps.store.readReceipts(chain.tenant, after, limit)
    const last = rows.at(-1)
    return {
      ...chain,
      receipts: rows.map(shown),
      ...(last !== undefined && rows.length === limit && { nextAfter: last.seq }),
    }
  })
  app.get('/v1/receipts/chains', async (request) => {
    const { token } = await deps.authenticate(request, 'tools')
    const chains = await deps.store.listReceiptChains()
    return { chains: chains.filter(({ tenant }) => isOperator(token) || tenant === token.tenant) }
  })
  app.get<{ Params: { readonly id: string } }>('/v1/receipts/:id', async (request) => {
    const { caller } = await deps.authenticate(request, 'tools')
    const { id } = request.params
    const receipt = await deps.store.getReceipt(caller.tenant, id)
    if (receipt === undefined) throw notFound(`receipt ${JSON.stringify(id.slice(0, 100))}`)
    return receipt
  })
}

function chainOf(asked: unknown, token: TokenRecord, chains: readonly ReceiptChain[]): ReceiptChain {
  if (asked !== undefined && typeof asked !== 'string') {
    throw new HttpError('invalid_request', 'tenant is given once', { param: 'tenant' })
  }
  const tenant = asked ?? token.tenant
  const known = chains.find((chain) => chain.tenant === tenant)
  if (tenant === token.tenant) return known ?? { tenant }
  if (known !== undefined && isOperator(token)) return known
  throw notFound(`tenant ${JSON.stringify(tenant.slice(0, 100))} with receipts`)
}

/** `after` a place, or the `last` so many. */
function placeToStart(query: Query, { end }: ReceiptChain): number {
  const last = readNumber(query, 'last', { fallback: 0, max: RECEIPTS_PAGE_ROWS_MAX })
  const after = readNumber(query, 'after', { fallback: 0, max: Number.MAX_SAFE_INTEGER })
  return query['last'] === undefined ? after : Math.max(after, (end?.seq ?? 0) - last)
}

function shown({ seq, id, previous, hash, text }: ChainedReceipt): Readonly<Record<string, unknown>> {
  return { seq, id, previous, hash, receipt: readReceipt(text) ?? null }
}

function readNumber(
  query: Query,
  name: string,
  { fallback, max }: { readonly fallback: number; readonly max: number },
): number {
  const value = query[name]
  if (value === undefined) return fallback
  if (typeof value === 'string' && /^\d{1,16}$/.test(value) && Number(value) <= max) return Number(value)
  throw new HttpError('invalid_request', `${name} is a whole number up to ${max}, got ${JSON.stringify(value)}`, {
    param: name,
  })
}

function notFound(what: string): HttpError {
  return new HttpError('not_found', `there is no ${what}`)
}
