import type { IncomingHttpHeaders } from 'node:http'
import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server'
import { HttpError } from '../http/http-error.ts'
import { isListedOrigin } from '../http/origin-headers.ts'

export interface RebindingRules {
  /** Where the configuration says that the gateway listens. */
  readonly host: string
  /** Where it listens indeed: `--host` wins over the configuration. */
  readonly boundTo?: string
  /** Names that it is reached by beside those of this machine, e.g. behind a proxy. */
  readonly allowedHosts: readonly string[]
  /** Hosts of web pages that may ask. */
  readonly allowedOrigins: readonly string[]
  /** Origins of pages that may use all of the gateway. */
  readonly pageOrigins: readonly string[]
}

/**
 * Refuses what a web page made a browser send (MCP "Streamable HTTP", security warning): an `Origin` that is not
 * allowed, and, where the gateway listens on this machine alone, a `Host` that is no name of this machine: that is how
 * a name looks which was bound to this address afterwards.
 * @throws {HttpError} 403
 */
export function refuseRebinding(headers: IncomingHttpHeaders, rules: RebindingRules): void {
  const places = [rules.host, rules.boundTo ?? rules.host].map(bracketed)
  const own = [...localhostAllowedHostnames(), ...places, ...rules.allowedHosts]
  const { ok: isOfHost } = validateOriginHeader(headers.origin, [...own, ...rules.allowedOrigins])
  if (!isOfHost && !isListedOrigin(headers.origin, rules.pageOrigins)) {
    const named = JSON.stringify((headers.origin ?? '').slice(0, 200))
    const lists = '"gateway.cors.origins", or for /mcp alone "mcp.endpoint.allowedOrigins", lists who may'
    throw new HttpError('forbidden', `origin ${named} may not ask here; ${lists}`)
  }
  if (!isLocal(rules.boundTo ?? rules.host) && rules.allowedHosts.length === 0) return
  if (!validateHostHeader(headers.host, own).ok) {
    const named = JSON.stringify((headers.host ?? '').slice(0, 200))
    throw new HttpError('forbidden', `host ${named} is not this gateway; "mcp.endpoint.allowedHosts" lists its names`)
  }
}

/** The same, which looks once at what is alike from request to request: nearly all of a client's. */
export function createRebindingGuard(): typeof refuseRebinding {
  let passed: (RebindingRules & { readonly asked: string | undefined; readonly origin: string | undefined }) | undefined
  return (headers, rules) => {
    const isKnown =
      passed?.asked === headers.host &&
      passed?.origin === headers.origin &&
      passed?.host === rules.host &&
      passed?.boundTo === rules.boundTo &&
      passed?.allowedHosts === rules.allowedHosts &&
      passed?.allowedOrigins === rules.allowedOrigins &&
      passed?.pageOrigins === rules.pageOrigins
    if (isKnown) return
    refuseRebinding(headers, rules)
    passed = { ...rules, asked: headers.host, origin: headers.origin }
  }
}

function isLocal(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

/** As it stands in a header. */
function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
