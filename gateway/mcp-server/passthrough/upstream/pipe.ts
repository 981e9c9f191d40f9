import { parseJSONRPCMessage } from '@modelcontextprotocol/server'
import type { JsonObject } from '../../../../catalog/json.ts'
import type { ServerWay } from '../../../../catalog/sources/mcp/server-way.ts'
import { rawResultOf } from '../../../../catalog/sources/mcp/transport/answer-guard.ts'
import { createTransport } from '../../../../catalog/sources/mcp/transport/create-transport.ts'
import type { StdioTransport } from '../../../../catalog/sources/mcp/transport/stdio/stdio-transport.ts'
import type { RpcMessage } from '../judging/rpc-message.ts'
import { readRpcMessage } from '../judging/rpc-message.ts'

/** One channel of messages to a server, on which everything runs together: a process, or HTTP with SSE. */
export interface Pipe {
  send(message: JsonObject): Promise<void>
  close(): Promise<void>
}

export interface PipeListener {
  readonly onMessage: (message: RpcMessage) => void
  readonly onClosed: () => void
}

export type OpenPipe = (listener: PipeListener) => Promise<Pipe>

/** Starts the process, or opens the stream of the older HTTP transport. */
export function pipeOpener(way: ServerWay): OpenPipe {
  return async ({ onMessage, onClosed }) => {
    const transport = createTransport(way, 'sse')
    Object.assign(transport, {
      onmessage: (message: unknown) => {
        const read = readRpcMessage(withOwnResult(message))
        if (read !== undefined) onMessage(read)
      },
      onclose: onClosed,
      onerror: (error: Error) => way.journal.debug(error.message),
    } satisfies Pick<StdioTransport, 'onmessage' | 'onclose' | 'onerror'>)
    await transport.start()
    return {
      send: (message) => transport.send(parseJSONRPCMessage(message)),
      close: () => transport.close(),
    }
  }
}

/** Results of tools travel past the SDK's schemas; here they are wanted as they came. */
function withOwnResult(message: unknown): unknown {
  if (typeof message !== 'object' || message === null || !('result' in message)) return message
  const { result } = message
  if (typeof result !== 'object' || result === null) return message
  const raw = rawResultOf(result)
  return raw === undefined ? message : { ...message, result: raw }
}
