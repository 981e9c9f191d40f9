import type { HttpServerConfig } from '../../../../catalog/sources/mcp/server-config.ts'
import type { ServerWay } from '../../../../catalog/sources/mcp/server-way.ts'
import { createAddressGuard } from '../../../../catalog/sources/mcp/transport/http/address-guard.ts'
import { createGuardedFetch } from '../../../../catalog/sources/mcp/transport/http/guarded-fetch.ts'
import type { Upstream } from './upstream.ts'

/** A server behind a URL; many sessions share its connections. */
export function createHttpUpstream(config: HttpServerConfig, way: ServerWay): Upstream {
  const http = createGuardedFetch({
    guard: createAddressGuard({
      configuredHost: new URL(config.url).hostname,
      allowPrivateAddresses: config.allowPrivateAddresses ?? false,
      forbidden: way.forbiddenAddresses,
    }),
    maxBodyBytes: way.maxMessageBytes,
    onOversize: () => {
      // The body ends with the error; who reads it says so.
    },
  })
  const fetch = way.authorize?.(http.fetch) ?? http.fetch
  return {
    exchange: ({ method, headers, body }, signal) =>
      fetch(config.url, {
        method,
        headers: {
          accept: 'application/json, text/event-stream',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
          // Last: what the operator configured is no client's to change.
          ...lowerCaseKeys(config.headers ?? {}),
        },
        signal,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    async close() {
      http.close()
    },
  }
}

function lowerCaseKeys(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
