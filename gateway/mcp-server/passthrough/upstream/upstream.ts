import type { JsonObject } from '../../../../catalog/json.ts'

/** One HTTP exchange of the Streamable HTTP transport, with whatever stands for it where a server has another one. */
export interface UpstreamRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: JsonObject
}

/** The way to one server, for one session or for requests that need none. */
export interface Upstream {
  /** Rejects where no answer came; an answer of any status is an answer. */
  exchange(request: UpstreamRequest, signal: AbortSignal): Promise<Response>
  /** Safe to call twice. */
  close(): Promise<void>
}
