import type { Client } from '@modelcontextprotocol/client'
import type { Caller } from '../../../../caller.ts'
import type { JsonObject } from '../../../../json.ts'
import { isJsonObject } from '../../../../json.ts'

/** What is asked of a server beside its tools, in the terms of the newest revision; the SDK speaks the server's own. */
export type SessionMethod =
  | 'resources/list'
  | 'resources/templates/list'
  | 'resources/read'
  | 'prompts/list'
  | 'prompts/get'
  | 'completion/complete'

export interface SessionRequest {
  readonly method: SessionMethod
  readonly params: JsonObject
  readonly waitMs: number
  /** Who wants it; absent where it is for nobody in particular. */
  readonly caller?: Caller
}

/** Whether the server says that it has what the method is about. */
export function offers(client: Client, method: SessionMethod): boolean {
  const { resources, prompts, completions } = client.getServerCapabilities() ?? {}
  if (method.startsWith('resources/')) return resources !== undefined
  return (method === 'completion/complete' ? completions : prompts) !== undefined
}

/** Whether a server may have something to ask about it: of a list there is nothing to ask. */
export function mayBeAskedAbout(method: SessionMethod): boolean {
  return !method.endsWith('/list')
}

/** Rejects with the SDK's errors: what the server refused, and what got lost. */
export async function sendRequest(client: Client, request: SessionRequest, signal: AbortSignal): Promise<JsonObject> {
  const { method, params, waitMs } = request
  const result: unknown = await client.request({ method, params: { ...params } }, { signal, timeout: waitMs })
  return isJsonObject(result) ? result : {}
}
