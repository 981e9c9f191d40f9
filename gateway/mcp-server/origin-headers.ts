/** What lets a page of an allowed origin read the answer (CORS); nothing for clients that are no page. */
export function originHeaders(origin: string | undefined): Readonly<Record<string, string>> {
  if (origin === undefined) return {}
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'mcp-session-id, www-authenticate, x-request-id, retry-after',
    vary: 'origin',
  }
}

/** The answer to a browser that asks before it sends. */
export const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-allow-headers':
    'authorization, content-type, accept, last-event-id, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name, ' +
    'x-drawbridge-agent, x-drawbridge-session, x-drawbridge-channel, x-drawbridge-sender',
  'access-control-max-age': '600',
} as const
