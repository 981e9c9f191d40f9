import { createLoginFetch } from '../../../../catalog/sources/mcp/login/login-fetch.ts'
import type { Revocation } from '../../../../catalog/sources/mcp/login/revoke-login.ts'
import { revokeLogin } from '../../../../catalog/sources/mcp/login/revoke-login.ts'
import type { ServerLogin } from '../../../../catalog/sources/mcp/login/server-login.ts'
import { isStdioServer } from '../../../../catalog/sources/mcp/server-config.ts'
import { CliFailure } from '../../cli-failure.ts'
import { loadServer, notConfigured, openLoginVault, readServers, reconnectServer } from '../../mcp-desk.ts'
import { createOutput } from '../../output.ts'
import type { Asked, ConfigFlags } from '../config/config-flags.ts'

interface LogoutRequest extends Asked<ConfigFlags> {
  readonly name: string
}

/** Forgets the login first: whatever the authorization server says, it is not used again. */
export async function logOut(request: LogoutRequest): Promise<void> {
  const { name, flags, deps } = request
  const output = createOutput(deps)
  const vault = await openLoginVault(flags.stateDir, deps)
  const login = await vault.read(name)
  if (login === undefined) {
    const servers = await readServers(request)
    if (!Object.hasOwn(servers, name)) throw notConfigured(name, Object.keys(servers))
    throw new CliFailure(1, `nobody is logged in at "${name}"`)
  }
  await vault.remove(name)
  const isTold = await reconnectServer(name, request)
  const revocation = await revoke(login, request)
  if (flags.json) return output.json({ server: name, revocation: revocation.kind, gatewayTold: isTold })
  output.line(`logged out at ${name}`)
  if (revocation.kind === 'not-offered')
    output.note('its authorization server cannot end logins; this one runs out there')
  if (revocation.kind === 'failed') output.note(`it was not ended there and runs out: ${revocation.reason}`)
  return undefined
}

async function revoke(login: ServerLogin, request: LogoutRequest): Promise<Revocation> {
  const server = await loadServer(request.name, request).catch((error: unknown) => {
    if (error instanceof CliFailure) return error
    throw error
  })
  // The login is forgotten in any case; nobody can be asked the way in which the server is configured.
  if (server instanceof CliFailure) return { kind: 'failed', reason: server.message }
  const { config, mcp } = server
  if (isStdioServer(config)) return { kind: 'not-offered' }
  const http = createLoginFetch({ config, forbiddenAddresses: mcp.forbiddenAddresses })
  try {
    return await revokeLogin(login, http.fetch)
  } finally {
    http.close()
  }
}
