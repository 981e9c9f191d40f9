import { isJsonObject } from '../../catalog/json.ts'
import type { JsonObject } from '../../catalog/json.ts'
import { readRunningGateway } from '../state/running-gateway.ts'
import { isStateLockHeld } from '../state/state-lock.ts'
import { stateDirectoryPath } from '../state/state-directory-path.ts'
import { readTokenFile, tokenFile } from '../state/tokens/token-file.ts'
import type { CliDeps } from './cli-deps.ts'
import { CliFailure } from './cli-failure.ts'

interface GatewayRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** From the root, with its query. */
  readonly path: string
  readonly body?: JsonObject
  readonly headers?: Readonly<Record<string, string>>
}

export interface GatewayAnswer {
  readonly status: number
  readonly body: JsonObject
}

export interface GatewayClient {
  /**
   * Asks the running gateway.
   * @throws {CliFailure} when none runs, or it refuses the token, or what answers is not a gateway
   */
  request(request: GatewayRequest): Promise<GatewayAnswer>
}

type ClientDeps = Pick<CliDeps, 'env' | 'fetch'>

/** Which of the tokens in the state directory is sent; `least` is the one that may do the least. */
type TokenChoice = 'least' | 'admin'

/** Speaks to the gateway of a state directory, with a token that its owner has there, or `DRAWBRIDGE_TOKEN`. */
export function createGatewayClient(
  stateDir: string | undefined,
  deps: ClientDeps,
  choice: TokenChoice = 'least',
): GatewayClient {
  const folder = stateDirectoryPath(stateDir, deps.env)
  return {
    request: async (request) => {
      refuseEmptyName(request.path)
      const address = await findAddress(folder)
      const token = await findToken(folder, deps.env, choice)
      const response = await send(deps.fetch, new URL(request.path, address), { request, token })
      if (response.status === 401)
        throw new CliFailure(1, `the gateway at ${address} refused the token of ${sourceOf(folder, deps.env)}`)
      return { status: response.status, body: await readBody(response, address) }
    },
  }
}

/** An argument that is empty, as of a shell's unset variable, would ask for something else. */
function refuseEmptyName(path: string): void {
  if (/\/(?:\/|\?|$)/.test(path))
    throw new CliFailure(2, 'the name or id that was given is empty; "list" shows what there is')
}

async function findAddress(folder: string): Promise<string> {
  // Of a gateway that was killed the address stays behind: whoever listens there now must not be sent a token.
  const isRunning = await isStateLockHeld(folder)
  const address = isRunning ? (await readRunningGateway(folder))?.address : undefined
  if (address !== undefined) return address
  if (isRunning) throw new CliFailure(1, `the gateway of state directory "${folder}" is still starting; try again`)
  throw new CliFailure(1, `no gateway is running for state directory "${folder}"; ${HOW_TO_START}`)
}

const HOW_TO_START = 'start one with "drawbridge serve" (in a checkout: "npm start"), or name its --state-dir'

async function findToken(folder: string, env: ClientDeps['env'], choice: TokenChoice): Promise<string> {
  if (env['DRAWBRIDGE_TOKEN']) return env['DRAWBRIDGE_TOKEN']
  const tokens = await readTokenFile(folder)
  const token = choice === 'admin' ? tokens['admin'] : (tokens['chat'] ?? tokens['admin'])
  if (token !== undefined) return token
  const which = choice === 'admin' ? 'no token "admin"' : 'no token'
  throw new CliFailure(1, `there is ${which} in "${tokenFile(folder)}"; set DRAWBRIDGE_TOKEN`)
}

function sourceOf(folder: string, env: ClientDeps['env']): string {
  return env['DRAWBRIDGE_TOKEN'] ? 'DRAWBRIDGE_TOKEN' : `"${tokenFile(folder)}"`
}

async function send(
  fetch: ClientDeps['fetch'],
  url: URL,
  { request, token }: { readonly request: GatewayRequest; readonly token: string },
): Promise<Response> {
  const { method, body, headers } = request
  try {
    return await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CliFailure(1, `no gateway answers at ${url.origin} (${reason}); ${HOW_TO_START}`)
  }
}

async function readBody(response: Response, address: string): Promise<JsonObject> {
  const text = await response.text()
  try {
    const body: unknown = JSON.parse(text)
    if (isJsonObject(body)) return body
  } catch {
    // Said below, with the status.
  }
  throw new CliFailure(
    1,
    `${address} answered ${response.status} with something that is not a JSON object; is it a gateway?`,
  )
}
