import { HttpError } from '../http/http-error.ts'
import { SHOWN_PATH_MAX_LENGTH } from './limits.ts'

export interface AskedRoute {
  readonly method: string
  /** As it came, with its query. */
  readonly url: string
}

/** Whether a route without parameters stands there. */
type HasRoute = (route: { readonly method: 'GET' | 'POST' | 'DELETE'; readonly url: string }) => boolean

const METHODS = ['GET', 'POST', 'DELETE'] as const

/** The 404 of an address, with the one that was probably meant: most often a base address has `/v1` once too many or too few. */
export function noRoute({ method, url }: AskedRoute, hasRoute: HasRoute): HttpError {
  const path = (url.split('?', 1)[0] ?? '').slice(0, SHOWN_PATH_MAX_LENGTH)
  const hint = hintOf(method, path, hasRoute)
  return new HttpError('not_found', `there is no ${method} ${path}${hint === undefined ? '' : `; ${hint}`}`)
}

function hintOf(method: string, path: string, hasRoute: HasRoute): string | undefined {
  if (path === '/') return `this is an API: see POST /v1/chat/completions, GET /v1/models and GET /readyz; ${MCP}`
  const places = [path, path.replace(/\/+$/, ''), path.replace(/^\/v1(?=\/v1\/)/, ''), `/v1${path}`]
  const found = places.flatMap((url) =>
    METHODS.flatMap((known) => (url !== '' && hasRoute({ method: known, url }) ? [{ known, url }] : [])),
  )
  const meant = found.find(({ known }) => known === method) ?? found[0]
  if (meant !== undefined) return `did you mean ${meant.known} ${meant.url}?`
  return MCP_PLACES.test(path) ? MCP : undefined
}

const MCP = 'clients of MCP use Streamable HTTP at /mcp'
/** Where other servers have it, and the transport before. */
const MCP_PLACES = /(?:^|\/)(?:mcp|sse|messages?)\/?$/i
