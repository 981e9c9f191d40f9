import type { Pending } from '../approval.ts'
import type { FrozenCall } from '../approving/frozen-call.ts'

/**
 * What the client is given of a call of its own tool. The id carries run and call: the key stands for the run, and
 * only the client was told it.
 */
export function clientPending(
  { toolId, requested, input }: FrozenCall,
  { clientKey, operation }: { readonly clientKey: string; readonly operation: number },
): Pending {
  const name = /^client:client:(.+)$/.exec(toolId)?.[1] ?? requested
  return { clientCall: `call_${clientKey}_${operation}`, tool: toolId, name: decodeURIComponent(name), args: input }
}
