import { clientMetadata } from '../../../../catalog/sources/mcp/login/choose-client.ts'
import type { CliDeps } from '../../cli-deps.ts'
import { CliFailure } from '../../cli-failure.ts'
import { createOutput } from '../../output.ts'

/** The document that `mcp.servers.<name>.oauth.clientMetadataUrl` is to serve. */
export function printClientMetadata({ url, deps }: { readonly url: string; readonly deps: CliDeps }): void {
  const parsed = URL.parse(url)
  if (parsed?.protocol !== 'https:' || parsed.pathname === '/') {
    throw new CliFailure(2, `"${url}" cannot be a client id; it is an https:// address with a path`)
  }
  // Without a port: RFC 8252 has authorization servers take any port of a loopback address.
  const document = { ...clientMetadata('http://127.0.0.1/callback'), token_endpoint_auth_method: 'none' }
  createOutput(deps).line(JSON.stringify({ client_id: url, ...document }, null, 2))
}
