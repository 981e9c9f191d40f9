import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@modelcontextprotocol/client'
import { ProtocolError } from '@modelcontextprotocol/client'

export interface Listening {
  readonly recheckMs: number
  /** The list may have changed, or the connection may be broken. */
  readonly onDoubt: () => void
}

/**
 * On the stateless revision changes come on a stream that has to be asked for, and asked for again when it breaks. Resolves when
 * the signal aborts, or the server has no such stream.
 */
export async function listenForChanges(client: Client, { recheckMs, onDoubt }: Listening, signal: AbortSignal) {
  while (!signal.aborted) {
    try {
      const subscription = await client.listen({ toolsListChanged: true }, { signal })
      // What changed while nobody listened.
      onDoubt()
      await subscription.closed
    } catch (error) {
      if (error instanceof ProtocolError) return
      // Else it broke off, which the look at the list below will explain.
    }
    if (signal.aborted) return
    onDoubt()
    await pause(recheckMs, undefined, { signal, ref: false }).catch(() => {
      // Ended in the meantime; the loop sees it.
    })
  }
}
