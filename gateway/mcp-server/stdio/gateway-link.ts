import { setTimeout as pause } from 'node:timers/promises'
import { RUNNING_POLL_MS } from '../limits.ts'

/** Where the gateway is, and with what it lets us in. */
export interface GatewayPlace {
  readonly address: string
  readonly token: string
}

export interface LinkRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly body?: string
  readonly headers: Readonly<Record<string, string>>
}

/** Requests to `/mcp` of whichever gateway serves the state directory now. */
export interface GatewayLink {
  /** @throws {GatewayGone} when no gateway could be asked, or it went away meanwhile */
  ask(request: LinkRequest, signal: AbortSignal): Promise<Response>
  /** Resolves when a gateway serves the state directory, a little later where one does now; starts none. */
  untilRunning(signal: AbortSignal): Promise<void>
}

/** The gateway could not be reached, or broke off. */
export class GatewayGone extends Error {
  override readonly name = 'GatewayGone'
  /** Whether the request may have been looked at. */
  readonly mayHaveRun: boolean
  constructor(message: string, options: { readonly mayHaveRun: boolean; readonly cause?: unknown }) {
    super(message, { cause: options.cause })
    this.mayHaveRun = options.mayHaveRun
  }
}

export interface GatewayLinkDeps {
  /** Finds the gateway that runs, or starts one. */
  readonly find: () => Promise<GatewayPlace>
  /** Whether one runs; nothing is started. */
  readonly isRunning: () => Promise<boolean>
  readonly fetch: typeof fetch
  /** Of the caller: agent and session. */
  readonly headers: Readonly<Record<string, string>>
}

export function createGatewayLink({ find, isRunning, fetch, headers }: GatewayLinkDeps): GatewayLink {
  let place: Promise<GatewayPlace> | undefined
  return {
    async ask(request, signal) {
      const finding = (place ??= find())
      const { address, token } = await finding.catch((error: unknown) => {
        if (place === finding) place = undefined
        throw error
      })
      try {
        return await fetch(new URL('/mcp', address), {
          method: request.method,
          headers: {
            accept: 'application/json, text/event-stream',
            authorization: `Bearer ${token}`,
            ...(request.body !== undefined && { 'content-type': 'application/json' }),
            ...headers,
            ...request.headers,
          },
          ...(request.body !== undefined && { body: request.body }),
          signal,
        })
      } catch (error) {
        if (signal.aborted) throw error
        // The next one looks for a gateway anew: this one's may have ended, and another may serve in its place.
        if (place === finding) place = undefined
        const isRefused = codeOf(error) === 'ECONNREFUSED'
        const effect = isRefused ? 'nothing was sent' : 'whether the request took effect is not known'
        throw new GatewayGone(`the gateway at ${address} cannot be reached (${codeOf(error)}); ${effect}`, {
          mayHaveRun: !isRefused,
          cause: error,
        })
      }
    },
    async untilRunning(signal) {
      do await pause(RUNNING_POLL_MS, undefined, { signal, ref: false })
      while (!(await isRunning()))
    },
  }
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error ? Reflect.get(cause, 'code') : undefined
  return typeof code === 'string' ? code : cause instanceof Error ? cause.message : String(cause)
}
