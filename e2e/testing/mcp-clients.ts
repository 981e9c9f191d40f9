import type { ClientCapabilities } from '@modelcontextprotocol/client'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { GatewayProcess } from './gateway-process.ts'
import { MAIN_FILE } from './gateway-process.ts'

export interface McpAccess {
  readonly url: string
  readonly token: string
  readonly headers?: Readonly<Record<string, string>>
  readonly capabilities?: ClientCapabilities
}

const INFO = { name: 'e2e', version: '1.0.0' }

/** The current SDK's client: of the stateless revision, or of the ones before it. */
export async function connectClient(era: 'stateless' | 'session', access: McpAccess): Promise<Client> {
  const negotiation = era === 'stateless' ? { versionNegotiation: { mode: 'auto' as const } } : {}
  const client = new Client(INFO, { ...negotiation, capabilities: access.capabilities ?? {} })
  await client.connect(new StreamableHTTPClientTransport(endpointOf(access), { requestInit: requestOf(access) }))
  return client
}

/** The current SDK's client at the other end of `mcp-serve`, beside a gateway that runs. */
export async function connectStdioClient(
  { stateDir }: Pick<GatewayProcess, 'stateDir'>,
  capabilities: ClientCapabilities,
): Promise<Client> {
  const { PATH = '', HOME = '' } = process.env
  const args = [MAIN_FILE, 'mcp-serve', '--state-dir', stateDir]
  const client = new Client(INFO, { capabilities, versionNegotiation: { mode: 'auto' } })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env: { PATH, HOME }, stderr: 'ignore' }),
  )
  return client
}

/** The client of the SDK's first generation. */
export async function connectOldClient(access: McpAccess): Promise<OldClient> {
  const client = new OldClient(INFO)
  await client.connect(new OldTransport(endpointOf(access), { requestInit: requestOf(access) }))
  return client
}

function endpointOf({ url }: McpAccess): URL {
  return new URL('/mcp', url)
}

function requestOf({ token, headers }: McpAccess): RequestInit {
  return { headers: { authorization: `Bearer ${token}`, ...headers } }
}
