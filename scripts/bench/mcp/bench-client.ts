import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

/** Where calls go: over HTTP, with a token where there is one, or to a process on its stdio. */
export type BenchTarget =
  | { readonly url: string; readonly token?: string }
  | { readonly command: string; readonly args: readonly string[] }

export type Revision = '2026-07-28' | '2025-11-25'

/** The same client for whatever is measured. */
export async function connectBenchClient(target: BenchTarget, revision: Revision): Promise<Client> {
  const mode = revision === '2026-07-28' ? 'auto' : 'legacy'
  const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(transportOf(target))
  const negotiated = client.getNegotiatedProtocolVersion()
  if (negotiated !== revision) throw new Error(`the server speaks ${negotiated ?? 'nothing'} instead of ${revision}`)
  return client
}

function transportOf(target: BenchTarget): StdioClientTransport | StreamableHTTPClientTransport {
  if ('command' in target) return new StdioClientTransport({ command: target.command, args: [...target.args] })
  const { url, token } = target
  const requestInit = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }
  return new StreamableHTTPClientTransport(new URL(url), { requestInit })
}
