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
  const now = outcome.kind === 'ok' || outcome.kind === 'failed' ? outcome.result : undefined
  return now === result || (now !== undefined && result !== undefined && isAlike(now, result))
}

/** Whether nothing was done to a result but to keep what is in it. */
function isAlike(now: ToolResult, given: ToolResult): boolean {
  if (now.structured !== given.structured || now.isError !== given.isError) return false
  if (now.content.length !== given.content.length) return false
  return now.content.every((block, index) => isAlikeBlock(block, given.content[index]))
}

function isAlikeBlock(now: ContentBlock, given: ContentBlock | undefined): boolean {
  if (now === given) return true
  const [left, right] = [partsOf(now), new Map(given === undefined ? [] : partsOf(given))]
  return left.length === right.size && left.every(([key, value]) => right.get(key) === value)
}

/** All but the gateway's own: the handle of what was kept, and what a link was found to lead to. */
function partsOf({ details, ...block }: ContentBlock): readonly (readonly [string, JsonValue])[] {
  const own = Object.entries(block).filter(([key]) => key !== 'artifact' && key !== 'linked')
  return [...own, ...Object.entries(details ?? {})]
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
  return Object.fromEntries(partsOf(block))
}
