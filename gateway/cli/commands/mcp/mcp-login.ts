import type { PendingLogin } from '../../../../catalog/sources/mcp/login/begin-login.ts'
import { beginLogin } from '../../../../catalog/sources/mcp/login/begin-login.ts'
import { LoginError } from '../../../../catalog/sources/mcp/login/login-error.ts'
import type { HttpServerConfig } from '../../../../catalog/sources/mcp/server-config.ts'
import { isStdioServer } from '../../../../catalog/sources/mcp/server-config.ts'
import { LOGIN_WAIT_MS } from '../../../mcp-client/limits.ts'
import type { RedirectListener } from '../../../mcp-client/redirect-listener.ts'
import { openRedirectListener } from '../../../mcp-client/redirect-listener.ts'
import type { CliDeps } from '../../cli-deps.ts'
import { CliFailure } from '../../cli-failure.ts'
import { loadServer, openLoginVault, reconnectServer } from '../../mcp-desk.ts'
import { createOutput, harmless } from '../../output.ts'
import type { Asked, ConfigFlags } from '../config/config-flags.ts'

export interface LoginFlags extends ConfigFlags {
  /** False with `--no-browser`. */
  readonly browser: boolean
  readonly scope?: string
  readonly port?: number
}

interface LoginRequest extends Asked<LoginFlags> {
  readonly name: string
}

/** Walks a person through the login at a server: an address to open, and the way back. */
export async function logIn(request: LoginRequest): Promise<void> {
  const { name, flags, deps } = request
  const output = createOutput(deps)
  const { config, mcp } = await loadServer(name, request)
  if (isStdioServer(config)) throw new CliFailure(2, `"${name}" is started by a command; only an address has a login`)
  refuseFixedHeader(name, config)
  // Before the person does anything: a login that could not be kept would be for nothing.
  const vault = await openLoginVault(flags.stateDir, deps)
  const listener = await listen(flags.port ?? config.oauth?.callbackPort)
  const over = new AbortController()
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(LOGIN_WAIT_MS)])
  let pending: PendingLogin | undefined
  try {
    const scope = flags.scope === undefined ? {} : { scope: flags.scope }
    pending = await beginLogin(
      { server: name, config, redirectUrl: listener.url, ...scope },
      { forbiddenAddresses: mcp.forbiddenAddresses, now: deps.now },
      signal,
    )
    const login = await pending.finish(await answerOf(pending, { listener, request, signal }))
    await vault.write(name, login)
    const isTold = await reconnectServer(name, request)
    const { issuer, expiresMs } = login
    const facts = { ...(login.scope !== undefined && { scope: login.scope }), ...(expiresMs && { expiresMs }) }
    if (flags.json) return output.json({ server: name, issuer, ...facts, gatewayTold: isTold })
    output.line(`logged in at ${name}`)
    return output.note(isTold ? 'the gateway connects now' : 'the gateway uses it from its next start')
  } catch (error) {
    throw toFailure(error, name)
  } finally {
    over.abort(new Error('the login is over'))
    pending?.close()
    await listener.close()
  }
}

function refuseFixedHeader(name: string, { headers = {} }: HttpServerConfig): void {
  if (!Object.keys(headers).some((header) => header.toLowerCase() === 'authorization')) return
  const at = `mcp.servers.${name}.headers`
  throw new CliFailure(2, `"${name}" has a fixed authorization header; take it out of ${at} to log in instead`)
}

async function listen(port: number | undefined): Promise<RedirectListener> {
  try {
    return await openRedirectListener(port)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CliFailure(1, `the browser cannot come back to port ${port ?? 'any'}: ${reason}; name another by --port`)
  }
}

interface Waiting {
  readonly listener: RedirectListener
  readonly request: LoginRequest
  readonly signal: AbortSignal
}

/** From the browser on this machine, or pasted from one on another. */
async function answerOf(pending: PendingLogin, { listener, request, signal }: Waiting): Promise<URLSearchParams> {
  const { deps, flags } = request
  const output = createOutput(deps)
  output.note(`open this address to log in at ${harmless(pending.issuer)}:\n\n  ${harmless(pending.url)}\n`)
  if (flags.browser && deps.isTerminal && !flags.json) deps.openUrl(pending.url)
  output.note('where the browser is on another machine, paste the address here that it ends at')
  const settled = new AbortController()
  try {
    const until = AbortSignal.any([signal, settled.signal])
    const answered = listener.answer((query) => pending.isAnswer(query), until)
    return await Promise.race([answered, pasted(pending, deps, until)])
  } finally {
    settled.abort(new Error('the answer has come'))
  }
}

/** Never settles where nothing of use is typed: the browser may still come back. */
async function pasted(pending: PendingLogin, deps: CliDeps, signal: AbortSignal): Promise<URLSearchParams> {
  for await (const line of deps.readLines(signal)) {
    const query = URL.parse(line.trim())?.searchParams
    if (query !== undefined && pending.isAnswer(query)) return query
    if (line.trim() !== '') deps.stderr('that is not where this login ends; paste the whole address\n')
  }
  return new Promise<never>(() => {})
}

function toFailure(error: unknown, name: string): unknown {
  if (error instanceof LoginError) return new CliFailure(1, `${name}: ${error.message}`, { code: error.code })
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return new CliFailure(1, `nobody logged in at ${name} within ${LOGIN_WAIT_MS / 60_000} minutes; run it again`)
  }
  return error
}
