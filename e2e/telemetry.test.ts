import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HeaderFields } from './testing/api-client.ts'
import type { GatewayProcess } from './testing/gateway-process.ts'
import { startGateway } from './testing/gateway-process.ts'

interface Span {
  readonly name: string
  readonly spanId: string
  readonly traceId: string
  readonly parentSpanId?: string
  /** 1 is internal, 3 a client. */
  readonly kind: number
  readonly attributes: readonly { readonly key: string; readonly value: object }[]
}

/** The part of an OTLP request over HTTP that is looked at. */
interface Export {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[]
}

const spans: Span[] = []
let exported = ''
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const PARENT_ID = 'b7ad6b7169203331'
const collector = createServer((request, response) => {
  void text(request).then((body) => {
    exported += body
    const { resourceSpans }: Export = JSON.parse(body)
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
    return response.end('{}')
  })
})
let gateway: GatewayProcess

beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const address = collector.address()
  if (address === null || typeof address === 'string') throw new Error('the collector does not listen')
  const endpoint = `http://127.0.0.1:${address.port}`
  const providers = { gone: { api: 'openai-chat', baseUrl: 'http://127.0.0.1:9/v1', retries: 0 } }
  const config = { models: { providers }, agents: { lost: { model: 'gone/m' } }, telemetry: { otlp: { endpoint } } }
  gateway = await startGateway({ config })
  const messages = [{ role: 'user', content: 'Which invoices are overdue?' }]
  const send = async (model: string, more: object, headers: HeaderFields): Promise<number> =>
    (await gateway.api.post('/v1/chat/completions', { model, messages, ...more }, { headers })).status
  // The client's own spans are not sampled; what the gateway records is for its operator to say.
  const traceparent = `00-${TRACE_ID}-${PARENT_ID}-00`
  expect(await send('drawbridge', { user: 'traced' }, { traceparent })).toBe(200)
  expect(await send('drawbridge/lost', {}, { traceparent: 'of another kind' })).toBe(502)
  // What waits is sent when the gateway stops.
  await gateway.stop()
})

afterAll(async () => {
  await gateway.remove()
  await new Promise((resolve) => collector.close(resolve))
})

describe('telemetry', () => {
  test('a turn is one trace, that of its client: turn, model steps, run and call inside each other', () => {
    const turn = named('invoke_agent default')
    const step = named('chat scripted')
    const run = named('run_program')
    const call = named('execute_tool plugin:demo:list_invoices')
    expect([turn.parentSpanId, step.parentSpanId, call.parentSpanId]).toEqual([PARENT_ID, turn.spanId, run.spanId])
    expect(new Set([turn, step, run, call].map((span) => span.traceId))).toEqual(new Set([TRACE_ID]))
    expect([turn.kind, step.kind]).toEqual([1, 3])
    expect(attributesOf(turn)).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'default',
      'gen_ai.conversation.id': 'traced',
    })
    expect(attributesOf(step)).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'scripted',
      'gen_ai.request.model': 'scripted',
    })
    expect(attributesOf(call)).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'plugin:demo:list_invoices',
      'drawbridge.outcome': 'ok',
    })
  })

  test('a failure says of which kind it was, and a header of another kind is no trace', () => {
    for (const name of ['invoke_agent lost', 'chat m']) {
      expect(attributesOf(named(name))).toMatchObject({ 'error.type': 'upstream_unreachable' })
    }
    expect(named('invoke_agent lost').traceId).not.toBe(TRACE_ID)
  })

  test('no span holds a word of what was said, or the token', () => {
    expect(exported).toContain('invoke_agent')
    for (const word of ['overdue', gateway.token]) expect(exported).not.toContain(word)
  })

  test('no line of the log has a key twice', async () => {
    for (const line of (await gateway.logText()).trim().split('\n')) {
      // What is printed again has the last of each key only.
      expect(JSON.stringify(JSON.parse(line))).toBe(line)
    }
  })

  test('log lines carry the ids of request, session and run', async () => {
    const lines = (await gateway.logText())
      .trim()
      .split('\n')
      .map((line): Record<string, unknown> => JSON.parse(line))
    const finished = lines.find((line) => line['event'] === 'run-finished')
    expect(finished).toMatchObject({
      session: 'traced',
      request: expect.stringMatching(/^req_/),
      run: expect.stringMatching(/^run_/),
    })
    // One word for it in every line, so that one search finds them all.
    expect(lines.find((line) => line['msg'] === 'answered')?.['request']).toBe(finished?.['request'])
    expect(lines.find((line) => line['event'] === 'turn-finished')).toMatchObject({
      finalTool: 'plugin:demo:list_invoices',
    })
  })
})

function named(name: string): Span {
  const span = spans.find((each) => each.name === name)
  if (span === undefined) throw new Error(`no span ${name} among ${spans.map((each) => each.name).join(', ')}`)
  return span
}

/** Each value without its type. */
function attributesOf({ attributes }: Span): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
