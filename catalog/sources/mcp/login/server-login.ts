/** A client as its authorization server knows it. */
export interface LoginClient {
  readonly clientId: string
  readonly clientSecret?: string
  /** How it proves itself at the token endpoint, where the server chose that at registration. */
  readonly authMethod?: string
}

/** What a person's login at a server gave, and all that it takes to renew and to end it. To be kept sealed. */
export interface ServerLogin {
  /** Made anew with each login, kept by each renewal. */
  readonly id: string
  /** For this address alone; another one under the same name needs a login of its own. */
  readonly serverUrl: string
  readonly issuer: string
  readonly tokenEndpoint: string
  readonly tokenAuthMethods?: readonly string[]
  readonly revocationEndpoint?: string
  /** RFC 8707: what the tokens are for, as the server itself spells it. */
  readonly resource?: string
  readonly client: LoginClient
  readonly scope?: string
  readonly accessToken: string
  readonly refreshToken?: string
  /** Unix milliseconds; absent where the server does not say. */
  readonly expiresMs?: number
  readonly obtainedMs: number
}

/** Keeps logins by the name of the server, over restarts. */
export interface LoginVault {
  read(server: string): Promise<ServerLogin | undefined>
  write(server: string, login: ServerLogin): Promise<void>
  /** Whether there was one. */
  remove(server: string): Promise<boolean>
}

/** How to log in at a server, where its operator has a say in it. */
export interface LoginSettings {
  /** Of a client that was registered by hand; else one is found by `clientMetadataUrl` or registered on the way. */
  readonly clientId?: string
  readonly clientSecret?: string
  /** Address of a client-id metadata document, for authorization servers that take one. */
  readonly clientMetadataUrl?: string
  /** Asked for instead of what the server names. */
  readonly scope?: string
  /** Port of the redirect address, for servers that compare it to the digit; any free one by default. */
  readonly callbackPort?: number
}

/** What to do about a server that wants a login; or is it one that the configured headers should have opened? */
export function needsLogin(server: string, headers: Readonly<Record<string, string>> = {}): string {
  const others = Object.keys(headers).length === 0 ? '' : ', or correct the headers in its configuration'
  return `needs login; run "drawbridge mcp login ${server}"${others}`
}
