import type { FetchLike } from '@modelcontextprotocol/client'
import { isHttpsUrl, registerClient } from '@modelcontextprotocol/client'
import type { FoundAuthorization } from './find-authorization.ts'
import { LoginError, shownText, toLoginError } from './login-error.ts'
import { mendedAnswers } from './mended-answers.ts'
import type { LoginClient, LoginSettings } from './server-login.ts'

export interface ClientChoice {
  readonly server: string
  readonly settings: LoginSettings
  readonly redirectUrl: string
  readonly scope: string | undefined
}

/**
 * Who we are at the authorization server: the client that the operator registered, else our metadata document where
 * such are taken, else one that is registered now.
 * @throws {LoginError}
 */
export async function chooseClient(
  found: FoundAuthorization,
  choice: ClientChoice,
  fetch: FetchLike,
): Promise<LoginClient> {
  const { clientId, clientSecret, clientMetadataUrl } = choice.settings
  if (clientId !== undefined) return { clientId, ...(clientSecret === undefined ? {} : { clientSecret }) }
  const { metadata } = found
  const takesDocuments = metadata?.client_id_metadata_document_supported === true
  if (takesDocuments && isHttpsUrl(clientMetadataUrl) && clientMetadataUrl !== undefined) {
    return { clientId: clientMetadataUrl, authMethod: 'none' }
  }
  if (metadata !== undefined && metadata.registration_endpoint === undefined) {
    throw new LoginError('no-client', noClient(found, choice))
  }
  return register(found, choice, fetch)
}

/** The document that `clientMetadataUrl` is to serve, and what is registered where registering is possible. */
export function clientMetadata(redirectUrl: string): {
  readonly client_name: string
  readonly redirect_uris: string[]
  readonly grant_types: string[]
  readonly response_types: string[]
  readonly application_type: string
} {
  return {
    client_name: 'Drawbridge',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: 'native',
  }
}

async function register(found: FoundAuthorization, choice: ClientChoice, fetch: FetchLike): Promise<LoginClient> {
  const { authorizationServer, metadata } = found
  const { redirectUrl, scope } = choice
  const methods = metadata?.token_endpoint_auth_methods_supported ?? ['none']
  const method = ['none', 'client_secret_basic', 'client_secret_post'].find((each) => methods.includes(each)) ?? 'none'
  try {
    const made = await registerClient(authorizationServer, {
      ...(metadata === undefined ? {} : { metadata }),
      clientMetadata: { ...clientMetadata(redirectUrl), token_endpoint_auth_method: method },
      ...(scope === undefined ? {} : { scope }),
      fetchFn: mendedAnswers(fetch),
    })
    return {
      clientId: made.client_id,
      ...(made.client_secret === undefined ? {} : { clientSecret: made.client_secret }),
      ...(made.token_endpoint_auth_method === undefined ? {} : { authMethod: made.token_endpoint_auth_method }),
    }
  } catch (error) {
    const { code, message } = toLoginError(error, 'registering at the authorization server')
    // Some offer it and let nobody in that they do not know.
    if (code === 'refused') throw new LoginError('no-client', `${message}; ${byHand(choice)}`)
    throw new LoginError(code, message)
  }
}

function noClient({ issuer, metadata }: FoundAuthorization, choice: ClientChoice): string {
  const at = `mcp.servers.${choice.server}.oauth`
  const document =
    metadata?.client_id_metadata_document_supported === true ? `, or set ${at}.clientMetadataUrl to a document` : ''
  return `the authorization server "${shownText(issuer)}" registers no clients by itself; ${byHand(choice)}${document}`
}

function byHand({ server, redirectUrl }: ClientChoice): string {
  const at = `mcp.servers.${server}.oauth`
  return `register a client there with redirect address "${redirectUrl}" and set ${at}.clientId and .callbackPort`
}
