import { McpConnectError } from '../../errors.ts'
import type { HttpServerConfig } from '../../server-config.ts'

/**
 * What no request could be made of.
 * @throws {McpConnectError} with what to correct
 */
export function checkEndpoint({ url, headers }: Pick<HttpServerConfig, 'url' | 'headers'>): void {
  const protocol = URL.parse(url)?.protocol
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new McpConnectError('unreachable', 'the url is not an http or https url; correct it in the configuration')
  }
  for (const [name, value] of Object.entries(headers ?? {})) {
    const fault = headerFault(name, value)
    if (fault !== undefined) throw new McpConnectError('misconfigured', fault)
  }
}

/** The value is as a rule a secret: what is wrong with it is said, and nothing of it. */
function headerFault(name: string, value: string): string | undefined {
  try {
    new Headers().append(name, value)
    return undefined
  } catch (error) {
    const why = /[\r\n]/.test(value.trim()) ? 'more than one line' : 'a character that a header cannot carry'
    if (error instanceof TypeError) return `header "${name}" holds ${why}; correct what its value is or comes from`
    throw error
  }
}
