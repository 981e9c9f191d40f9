import type { Outcome, SettledCall } from '../../../../bridge/outcome.ts'
import type { JsonObject, JsonValue } from '../../../../catalog/json.ts'
import type { ContentBlock, ToolResult } from '../../../../catalog/tool.ts'
import type { RpcAnswer, RpcRequest } from '../judging/rpc-message.ts'
import { isStateless } from '../judging/check-request.ts'
import { rpcFault } from '../judging/rpc-message.ts'

/** What a server answered to a call, and what the dispatcher was given of it. */
export interface ServerAnswer {
  readonly status: number
  readonly answer: RpcAnswer
  /** Absent where the server answered with an error. */
  readonly result: ToolResult | undefined
}

export interface CallAnswer {
  readonly status: number
  readonly whole: JsonObject
}

const INVALID_PARAMS = -32_602

/**
 * The answer to a call: the server's own, byte for byte in meaning, where the dispatcher let its result stand; else what
 * became of the call, as a tool's error that a model can read.
 */
export function callAnswer(request: RpcRequest, settled: SettledCall, given: ServerAnswer | undefined): CallAnswer {
  const { outcome } = settled
  if (given !== undefined && stands(outcome, given)) return { status: given.status, whole: given.answer.whole }
  if (outcome.kind === 'unknown-tool' || outcome.kind === 'ambiguous-tool') {
    const { name = '' } = request.params
    return {
      status: 200,
      whole: rpcFault(request.id, {
        code: INVALID_PARAMS,
        message: `Unknown tool: ${typeof name === 'string' ? name : ''}`,
      }),
    }
  }
  const complete = isStateless(request.params) ? { resultType: 'complete' } : {}
  return { status: 200, whole: { jsonrpc: '2.0', id: request.id, result: { ...complete, ...resultOf(outcome) } } }
}

function stands(outcome: Outcome, { result }: ServerAnswer): boolean {
  if (outcome.kind === 'ok') return outcome.result === result
  return outcome.kind === 'failed' && outcome.result === result
}

/** A hook or another step has changed the result, or there is none. */
function resultOf(outcome: Outcome): JsonObject {
  if (outcome.kind === 'ok') {
    const { content, structured } = outcome.result
    return { content: content.map(blockJson), ...(structured !== undefined && { structuredContent: structured }) }
  }
  return { content: [{ type: 'text', text: outcome.message }], isError: true }
}

function blockJson(block: ContentBlock): JsonValue {
  return block.type === 'resource' ? { type: 'resource', resource: { ...block.resource } } : { ...block }
}
