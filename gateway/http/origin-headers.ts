import type { IncomingHttpHeaders } from 'node:http'
import { PREFLIGHT_HEADERS_MAX } from './limits.ts'

/** What lets a page of an allowed origin read the answer (CORS); nothing for clients that are no page. */
export function originHeaders(origin: string | undefined): Readonly<Record<string, string>> {
  if (origin === undefined) return {}
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers':
      'mcp-session-id, www-authenticate, x-request-id, retry-after, x-should-retry, x-drawbridge-wait, link, allow',
    vary: 'origin',
  }
}

/**
 * The answer to a browser that asks before it sends. What it wants to send is repeated, since client libraries send headers of
 * their own (`x-stainless-…`, `mcp-param-…`, those of traces): the origin was looked at, and no header lets anybody in but the
 * token's. Cookies are never asked for, and so never sent (no `access-control-allow-credentials`).
 */
export function preflightHeaders(asked: IncomingHttpHeaders): Readonly<Record<string, string>> {
  const wanted = (asked['access-control-request-headers'] ?? '').toLowerCase().split(',', PREFLIGHT_HEADERS_MAX)
  const names = wanted.map((name) => name.trim()).filter((name) => /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name))
  return {
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': [...new Set([...HEADERS, ...names])].join(', '),
    'access-control-max-age': '600',
  }
}

/** Whether a page of this origin is one of those that the configuration lists, each in whatever way it is written. */
export function isListedOrigin(origin: string | undefined, listed: readonly string[]): boolean {
  // Of a file, a frame that may do nothing, a redirect: of anybody.
  if (origin === undefined || origin === 'null' || listed.length === 0) return false
  const asked = plainOrigin(origin)
  return listed.some((each) => plainOrigin(each) === asked)
}

/** Lower case, in the letters of a name server, without the port that goes without saying. */
function plainOrigin(origin: string): string {
  const known = URL.canParse(origin) ? new URL(origin).origin : 'null'
  // Browsers do not say where an address of an extension or an app ends; it stands here as it came.
  return known === 'null' ? origin.toLowerCase() : known
}

const HEADERS = [
  'authorization',
  'content-type',
  'accept',
  'last-event-id',
  'mcp-session-id',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'x-drawbridge-agent',
  'x-drawbridge-session',
  'x-drawbridge-channel',
  'x-drawbridge-sender',
]
