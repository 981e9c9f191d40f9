import { McpConnectError } from '../errors.ts'
import { RENEW_AHEAD_MS, RENEW_AHEAD_SHARE, SECRET_MIN_LENGTH } from '../limits.ts'
import type { Renewal } from './renew-login.ts'
import type { LoginVault, ServerLogin } from './server-login.ts'
import { needsLogin } from './server-login.ts'

/** The tokens of one server, renewed before they expire, once for all who wait. */
export interface LoginKeeper {
  /**
   * What to send; undefined where nobody has logged in.
   * @throws {McpConnectError} `needs-login` when the login has run out
   */
  token(): Promise<string | undefined>
  /**
   * Another token for one that the server refused.
   * @throws {McpConnectError} `needs-login` when there is none
   */
  replace(refused: string | undefined): Promise<string>
  /** Both this token and the one before it were refused: renewing once more would not help. Gives what to throw. */
  reject(refused: string): McpConnectError
  /** What a person has to do before there is a token again; undefined while there is one, or none was wanted. */
  readonly wanted: string | undefined
  /** What the present login allows, as far as that is known. */
  readonly scope: string | undefined
  /** What was kept may have changed: somebody logged in or out. */
  forget(): void
  /** Takes the tokens of this login out of a text. */
  readonly mask: (text: string) => string
}

export interface LoginKeeperDeps {
  readonly server: string
  /** As configured; a login for another address is none. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly vault: LoginVault
  readonly renew: (login: ServerLogin) => Promise<Renewal>
  readonly warn: (message: string) => void
  readonly now: () => number
}

export function createLoginKeeper(deps: LoginKeeperDeps): LoginKeeper {
  return new ServerLoginKeeper(deps)
}

class ServerLoginKeeper implements LoginKeeper {
  readonly #deps: LoginKeeperDeps
  #login: Promise<ServerLogin | undefined> | undefined
  #renewing: Promise<ServerLogin> | undefined
  #rejected: string | undefined
  #wanted: string | undefined
  #secrets: readonly string[] = []
  #scope: string | undefined

  constructor(deps: LoginKeeperDeps) {
    this.#deps = deps
  }

  readonly mask = (text: string): string =>
    this.#secrets.reduce((masked, secret) => masked.replaceAll(secret, '[secret]'), text)

  get wanted(): string | undefined {
    return this.#wanted
  }

  get scope(): string | undefined {
    return this.#scope
  }

  async token(): Promise<string | undefined> {
    const login = await this.#read()
    this.#wanted = undefined
    if (login === undefined) return undefined
    const nowMs = this.#deps.now()
    if (!isDue(login, nowMs)) return login.accessToken
    const isOver = login.expiresMs !== undefined && login.expiresMs <= nowMs
    if (login.refreshToken === undefined) {
      if (isOver) throw this.#wantLogin()
      return login.accessToken
    }
    try {
      return (await this.#renew(login)).accessToken
    } catch (error) {
      // While it still holds it is used; why it was not renewed has been said.
      if (isOver) throw error
      return login.accessToken
    }
  }

  async replace(refused: string | undefined): Promise<string> {
    const login = await this.#read()
    if (login === undefined) throw this.#wantLogin()
    // Renewed by another call meanwhile.
    if (login.accessToken !== refused) return login.accessToken
    if (refused === this.#rejected || login.refreshToken === undefined) throw this.#wantLogin()
    return (await this.#renew(login)).accessToken
  }

  reject(refused: string): McpConnectError {
    this.#rejected = refused
    return this.#wantLogin()
  }

  forget(): void {
    this.#login = undefined
  }

  #wantLogin(): McpConnectError {
    const wanted = needsLogin(this.#deps.server, this.#deps.headers)
    this.#wanted = wanted
    return new McpConnectError('needs-login', wanted)
  }

  #read(): Promise<ServerLogin | undefined> {
    this.#login ??= this.#readVault()
    return this.#login
  }

  async #readVault(): Promise<ServerLogin | undefined> {
    const login = await this.#peek(undefined)
    return login === undefined || login.serverUrl !== this.#deps.url ? undefined : this.#hold(login)
  }

  /** What is kept now; `otherwise` where that cannot be told: a file that was changed, a disk that fails. */
  async #peek(otherwise: ServerLogin | undefined): Promise<ServerLogin | undefined> {
    try {
      return await this.#deps.vault.read(this.#deps.server)
    } catch (error) {
      this.#deps.warn(`the login cannot be read: ${error instanceof Error ? error.message : String(error)}`)
      return otherwise
    }
  }

  #hold(login: ServerLogin): ServerLogin {
    this.#scope = login.scope
    const secrets = [login.accessToken, login.refreshToken, login.client.clientSecret]
    this.#secrets = [...this.#secrets, ...secrets.filter((secret) => secret !== undefined)]
      .filter((secret) => secret.length >= SECRET_MIN_LENGTH)
      // The last ones may still come back in an answer that is under way.
      .slice(-SECRETS_REMEMBERED)
      .toSorted((a, b) => b.length - a.length)
    return login
  }

  #renew(login: ServerLogin): Promise<ServerLogin> {
    this.#renewing ??= this.#renewOnce(login).finally(() => (this.#renewing = undefined))
    return this.#renewing
  }

  async #renewOnce(known: ServerLogin): Promise<ServerLogin> {
    const { url, renew, warn } = this.#deps
    // Another process may have logged in, or out.
    const kept = await this.#peek(known)
    if (kept === undefined || kept.serverUrl !== url) {
      this.forget()
      throw this.#wantLogin()
    }
    if (kept.accessToken !== known.accessToken && !isDue(kept, this.#deps.now())) return this.#take(kept)
    const renewal = await renew(kept)
    if (renewal.kind === 'renewed') {
      await this.#keep(renewal.login, kept)
      return this.#take(renewal.login)
    }
    warn(`the login was not renewed: ${renewal.reason}`)
    if (renewal.kind === 'failed') {
      const way = `if that goes on, run "drawbridge mcp login ${this.#deps.server}"`
      throw new McpConnectError('unreachable', `${renewal.reason}; ${way}`)
    }
    // So that it is not tried again with every call.
    const { refreshToken: _refreshToken, ...spent } = kept
    await this.#keep(spent, kept)
    this.#take(spent)
    throw this.#wantLogin()
  }

  #take(login: ServerLogin): ServerLogin {
    this.#login = Promise.resolve(this.#hold(login))
    return login
  }

  async #keep(login: ServerLogin, before: ServerLogin): Promise<void> {
    const { vault, server, warn } = this.#deps
    try {
      // A person may have logged in while the old login was renewed; theirs is the newer.
      if ((await this.#peek(before))?.id === before.id) await vault.write(server, login)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      warn(`the renewed login could not be kept and lasts until the gateway stops: ${reason}`)
    }
  }
}

/** Access, refresh and client secret of the last few renewals. */
const SECRETS_REMEMBERED = 12

function isDue({ expiresMs, obtainedMs }: ServerLogin, nowMs: number): boolean {
  if (expiresMs === undefined) return false
  const ahead = Math.min(RENEW_AHEAD_MS, (expiresMs - obtainedMs) * RENEW_AHEAD_SHARE)
  return nowMs >= expiresMs - ahead
}
