import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GatewayProcess } from './testing/gateway-process.ts'
import { startGateway } from './testing/gateway-process.ts'

interface Span {
  readonly name: string
  readonly spanId: string
  readonly traceId: string
  readonly parentSpanId?: string
}

/** The part of an OTLP request over HTTP that is looked at. */
interface Export {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[]
}

const spans: Span[] = []
const collector = createServer((request, response) => {
  void text(request).then((body) => {
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
  gateway = await startGateway({ config: { telemetry: { otlp: { endpoint } } } })
})

afterAll(async () => {
  await gateway.remove()
  await new Promise((resolve) => collector.close(resolve))
})

describe('telemetry', () => {
  test('a turn is one trace: turn, model steps, run and call inside each other', async () => {
    const headers = { authorization: `Bearer ${gateway.token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({
      model: 'drawbridge',
      messages: [{ role: 'user', content: 'Which invoices are overdue?' }],
      user: 'traced',
    })
    const answer = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body })
    expect(answer.status).toBe(200)
    // What waits is sent when the gateway stops.
    await gateway.stop()
    const named = (name: string): Span => {
      const span = spans.find((each) => each.name === name)
      if (span === undefined) throw new Error(`no span ${name} among ${spans.map((each) => each.name).join(', ')}`)
      return span
    }
    const [turn, step, run, call] = ['invoke_agent', 'chat', 'run_program', 'execute_tool'].map(named)
    expect(step?.parentSpanId).toBe(turn?.spanId)
    expect(call?.parentSpanId).toBe(run?.spanId)
    expect(new Set([turn, step, run, call].map((span) => span?.traceId)).size).toBe(1)
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
