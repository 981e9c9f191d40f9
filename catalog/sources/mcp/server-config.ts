import { isDeepStrictEqual } from 'node:util'
import type { LoginSettings } from './login/server-login.ts'

interface CommonServerConfig {
  /** Longest wait for an answer or progress of one call, in milliseconds; 60,000 by default. */
  readonly timeoutMs?: number
  /** Longest time of one call, whatever progress it makes, in milliseconds; the gateway's own by default. */
  readonly deadlineMs?: number
  /** Settings of single tools, by their name. */
  readonly tools?: Readonly<Record<string, McpToolConfig>>
  /** Longest wait for a connection and its first list of tools, in milliseconds; 60,000 by default. */
  readonly connectTimeoutMs?: number
  /** Tools past this number are left out and named in the status; 10,000 by default. */
  readonly maxTools?: number
  /** `file:` addresses of folders that the server is told it may work in. */
  readonly roots?: readonly string[]
  /** Whether the server may ask callers for input while a tool runs; `ask` by default. */
  readonly elicitation?: 'ask' | 'off'
  /** Whether the server may ask for an answer of the caller's model; `ask` by default, and then a person is asked first. */
  readonly sampling?: 'ask' | 'off'
  /** Why it cannot be connected to as it is configured, such as a secret that is not there: it is down with this reason. */
  readonly fault?: string
}

export interface McpToolConfig {
  /** Each instead of the server's. */
  readonly timeoutMs?: number
  readonly deadlineMs?: number
}

/** A server that runs as a child process and talks over stdin and stdout. */
export interface StdioServerConfig extends CommonServerConfig {
  readonly command: string
  readonly args?: readonly string[]
  /** Added to PATH, HOME and the few others that programs cannot start without; nothing else of ours is passed on. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** A server behind a URL: Streamable HTTP, or the older HTTP with SSE where that is all it speaks. */
export interface HttpServerConfig extends CommonServerConfig {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Lets a public host name resolve to a loopback or private address. A URL that itself names `localhost` or such an
   * address needs no permission; link-local and metadata addresses never get one.
   */
  readonly allowPrivateAddresses?: boolean
  /** How to log in; used only where no `authorization` header is configured. */
  readonly oauth?: LoginSettings
}

/** One entry under `mcp.servers`, in the shape of `.mcp.json`; secrets are already resolved. */
export type McpServerConfig = StdioServerConfig | HttpServerConfig

export function isStdioServer(config: McpServerConfig): config is StdioServerConfig {
  return 'command' in config
}

/** Whether two configurations of a server differ in nothing that a connection which stands would be another by. */
export function concernsCallsAlone(one: McpServerConfig, other: McpServerConfig): boolean {
  return isDeepStrictEqual(connectionPart(one), connectionPart(other))
}

function connectionPart(config: McpServerConfig): object {
  const { timeoutMs: _timeout, deadlineMs: _deadline, connectTimeoutMs: _connect, tools: _tools, ...rest } = config
  return rest
}
