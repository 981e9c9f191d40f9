import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import type { Gateway } from '../build-gateway.ts'
import { buildGateway } from '../build-gateway.ts'
import { gatewayOptions } from './gateway-options.ts'

export interface InProcess {
  readonly gateway: Gateway
  /** A request with a token; the answer's body as it came. */
  readonly ask: (token: string, request: Asked) => Promise<Answered>
  /** Makes a token by the route, as an operator. */
  readonly makeToken: (request: object) => Promise<string>
  readonly admin: string
  /** Holds the state directory. */
  readonly folder: string
  /** As a signal does, before the test ends. */
  readonly stop: () => Promise<void>
}

export interface Asked {
  readonly method?: 'GET' | 'POST' | 'DELETE' | 'OPTIONS'
  readonly url: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  readonly remoteAddress?: string
}

export interface Answered {
  readonly status: number
  readonly text: string
  readonly body: ReturnType<typeof JSON.parse>
  readonly headers: Readonly<Record<string, unknown>>
}

export interface InProcessOptions {
  /** As the file would hold it. */
  readonly config?: string
  readonly environmentToken?: string
  /** Of a gateway that is stopped: this one goes on with what is there. */
  readonly folder?: string
}

/** A whole gateway without a port, until the test ends. */
export async function gatewayInProcess(given: InProcessOptions = {}): Promise<InProcess> {
  const { config = '{ agents: { other: {} } }', environmentToken } = given
  const folder = given.folder ?? (await mkdtemp(path.join(os.tmpdir(), 'drawbridge-gateway-')))
  const gateway = await buildGateway(await gatewayOptions({ folder, config, environmentToken }))
  const stop = async (): Promise<void> => {
    await gateway.close()
    await gateway.state.close()
  }
  onTestFinished(async () => {
    await stop()
    await rm(folder, { recursive: true, force: true })
  })
  await gateway.sources.plugins.settled()
  await gateway.app.ready()
  const ask: InProcess['ask'] = async (token, { method = 'GET', url, body, headers, remoteAddress = '127.0.0.1' }) => {
    const response = await gateway.app.inject({
      method,
      url,
      remoteAddress,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body !== undefined && { payload: body }),
    })
    const isJson = String(response.headers['content-type']).startsWith('application/json')
    const read: Answered['body'] = isJson ? response.json() : undefined
    return { status: response.statusCode, text: response.body, body: read, headers: response.headers }
  }
  const admin = gateway.tokens.made.find(({ record }) => record.name === 'admin')?.token ?? environmentToken ?? ''
  const makeToken: InProcess['makeToken'] = async (request) => {
    const { status, body, text } = await ask(admin, { method: 'POST', url: '/v1/tokens', body: request })
    if (status !== 201) throw new Error(`no token was made: ${text}`)
    return body.token
  }
  return { gateway, ask, makeToken, admin, folder, stop }
}
