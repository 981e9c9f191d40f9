import { expect, test } from 'vitest'
import type { Outcome, SettledCall } from '../../../../bridge/outcome.ts'
import type { JsonObject } from '../../../../catalog/json.ts'
import { readToolResult } from '../../../../catalog/sources/mcp/tools/tool-result.ts'
import type { ContentBlock, ToolResult } from '../../../../catalog/tool.ts'
import type { RpcRequest } from '../judging/rpc-message.ts'
import { callAnswer } from './call-answer.ts'

const params = { name: 'draw' }
const request: RpcRequest = {
  kind: 'request',
  id: 1,
  method: 'tools/call',
  params,
  whole: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
}
/** With more than a tool's result has a place for. */
const WHOLE: JsonObject = {
  jsonrpc: '2.0',
  id: 1,
  result: {
    _meta: { cost: 3 },
    content: [
      { type: 'text', text: 'drawn', annotations: { priority: 1 } },
      { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png', annotations: { audience: ['user'] } },
      { type: 'resource', resource: { uri: 'mem://a', blob: 'AAAA', _meta: { b: 1 } } },
    ],
    structuredContent: { id: 7 },
  },
}

/** What the client gets where `change` was done to the result on its way. */
function answered(change: (result: ToolResult) => ToolResult, kind: 'ok' | 'failed' = 'ok'): unknown {
  const result = readToolResult(WHOLE['result'] ?? null)
  const ended = change(result)
  const outcome: Outcome =
    kind === 'ok'
      ? { kind, value: null, result: ended, effect: 'done' }
      : { kind, message: 'it failed', result: ended, effect: 'unknown' }
  const settled: SettledCall = { callId: 'c', requested: 'draw', outcome, notices: [], ms: 1, receiptId: 'r' }
  const answer = { kind: 'answer', id: 1, whole: WHOLE } as const
  return callAnswer(request, settled, { status: 200, answer, result }).whole
}

const kept = (block: ContentBlock): ContentBlock => (block.type === 'text' ? block : { ...block, artifact: 'art_1' })

test.each(['ok', 'failed'] as const)(
  'a result of which the gateway kept something is the server’s own (%s)',
  (kind) => {
    expect(answered((result) => result, kind)).toBe(WHOLE)
    expect(answered((result) => ({ ...result, content: result.content.map(kept) }), kind)).toBe(WHOLE)
  },
)

test.each<[string, (result: ToolResult) => ToolResult]>([
  ['another structured result', (result) => ({ ...result, structured: { id: 8 } })],
  ['a block less', (result) => ({ ...result, content: result.content.slice(1) })],
  [
    'a text cut out of it',
    (result) => ({ ...result, content: [{ type: 'text', text: '***' }, ...result.content.slice(1)] }),
  ],
])('with %s it is what it was made into, without handles of the gateway', (_what, change) => {
  const answer = answered((result) => change({ ...result, content: result.content.map(kept) }))
  expect(answer).not.toBe(WHOLE)
  expect(JSON.stringify(answer)).not.toContain('art_1')
  expect(answer).toMatchObject({
    id: 1,
    result: { content: expect.arrayContaining([expect.objectContaining({ type: 'image' })]) },
  })
})
