import type { JSONRPCMessage, Progress, Transport, TransportSendOptions } from '@modelcontextprotocol/client'
import { Client, ProtocolError, SdkError } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { isJsonObject } from '../../../../json.ts'
import { PLAIN_CALL_FIRST_ID } from '../../limits.ts'
import { createPlainCalls } from './plain-calls.ts'

const INFO = { name: 'drawbridge', version: '1' }
const CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: {} }

type Request = Extract<JSONRPCMessage, { id: string | number; method: string }>

interface Scripted {
  /** What comes after a call was sent; the call's own id stands for each `ID`. */
  readonly answers?: readonly object[]
  readonly refusal?: Error
  /** Whether each request has a stream of its own, as over HTTP. */
  readonly hasStreams?: boolean
}

class ScriptedTransport implements Transport {
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: Transport['onmessage']
  readonly hasPerRequestStream: boolean
  readonly sent: { readonly message: JSONRPCMessage; readonly hasSignal: boolean }[] = []
  readonly #script: Scripted
  signal: AbortSignal | undefined

  constructor(script: Scripted) {
    this.#script = script
    this.hasPerRequestStream = script.hasStreams ?? false
  }

  async start(): Promise<void> {}

  async close(): Promise<void> {
    this.onclose?.()
  }

  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    const { answers = [], refusal } = this.#script
    if (!('method' in message)) return
    if ('id' in message && message.method !== 'tools/call') return this.#shakeHands(message)
    this.sent.push({ message, hasSignal: options.requestSignal !== undefined })
    this.signal = options.requestSignal
    if (!('id' in message)) return
    if (refusal !== undefined) throw refusal
    for (const answer of answers) {
      await Promise.resolve()
      this.onmessage?.(JSON.parse(JSON.stringify(answer).replaceAll('"ID"', String(message.id))))
    }
  }

  #shakeHands({ id, method }: Request): void {
    const common = { capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
    const result =
      method === 'initialize'
        ? { ...common, protocolVersion: '2025-11-25' }
        : { ...common, resultType: 'complete', supportedVersions: ['2026-07-28'], ttlMs: 0, cacheScope: 'private' }
    this.onmessage?.({ jsonrpc: '2.0', id, result })
  }
}

const ERAS = ['2026-07-28', '2025-11-25'] as const
type Era = (typeof ERAS)[number]

async function connected(script: Scripted, era: Era) {
  const transport = new ScriptedTransport(script)
  const errors: string[] = []
  const mode = era === '2026-07-28' ? ('auto' as const) : ('legacy' as const)
  const client = new Client(INFO, { capabilities: CAPABILITIES, versionNegotiation: { mode } })
  Object.assign(client, { onerror: (error: Error) => errors.push(error.message.replaceAll(/\d{10}/g, 'ID')) })
  await client.connect(transport)
  expect(client.getNegotiatedProtocolVersion()).toBe(era)
  transport.sent.splice(0)
  return { client, transport, errors }
}

interface Making {
  readonly signal: AbortSignal
  readonly onProgress: (step: Progress) => void
  readonly input: object
}

/** The same call by the SDK's client and past it: what is sent, what is heard, how it ends. */
async function byBoth(
  script: Scripted,
  era: Era,
  disturb?: (transport: ScriptedTransport, stop: AbortController) => void,
) {
  const outcomes = []
  for (const way of ['sdk', 'past'] as const) {
    const { client, transport, errors } = await connected(script, era)
    const plain = createPlainCalls({ client, transport, clientInfo: INFO, capabilities: CAPABILITIES })
    const stop = new AbortController()
    const steps: Progress[] = []
    const making = {
      signal: stop.signal,
      onProgress: (step: Progress) => void steps.push(step),
      input: { requestState: 's' },
    }
    const end = outcomeOf(way === 'sdk' ? bySdk(client, making) : plain.send({ ...CALL, ...making }, making.signal))
    // It has gone out by then.
    await new Promise((resolve) => setImmediate(resolve))
    disturb?.(transport, stop)
    const outcome = await end
    // Late steps are heard by nobody.
    await new Promise((resolve) => setImmediate(resolve))
    const isStreamEnded = transport.signal?.aborted
    outcomes.push({ sent: transport.sent.map(withoutIds), steps, outcome, errors, isStreamEnded })
    await transport.close()
  }
  const [sdk, past] = outcomes
  return { sdk, past }
}

const CALL = { name: 'act', args: { a: [1, { b: 'ü' }] } }

function bySdk(client: Client, { signal, onProgress, input }: Making): Promise<unknown> {
  const params = { name: CALL.name, arguments: CALL.args, ...input }
  const options = { signal, onprogress: onProgress, timeout: 60_000, allowInputRequired: true }
  const toolDefinition = { name: 'act', inputSchema: { type: 'object' as const } }
  return client.callTool(params, { ...options, toolDefinition })
}

async function outcomeOf(ending: Promise<unknown>): Promise<unknown> {
  try {
    const result = await ending
    if (!isJsonObject(result)) return result
    const { content: _content, ...rest } = result
    return { result: rest }
  } catch (error) {
    const kind = error instanceof Error ? error.constructor.name : typeof error
    const known = error instanceof SdkError || error instanceof ProtocolError ? { code: error.code } : {}
    const data: unknown = error instanceof ProtocolError ? error.data : undefined
    return { kind, ...known, data, text: String(error).replace(/:.*/s, '') }
  }
}

/** Numbers of the two ways differ. */
function withoutIds({ message, hasSignal }: ScriptedTransport['sent'][number]): unknown {
  const text = JSON.stringify(message)
  const id = 'id' in message ? message.id : /"requestId":(\d+)/.exec(text)?.[1]
  const value: unknown = JSON.parse(text.replaceAll(new RegExp(`:${String(id)}(?=[,}])`, 'g'), ':"ID"'))
  return { message: value, hasSignal }
}

const RESULT = { resultType: 'complete', content: [], structuredContent: { a: 1 }, _meta: { x: 1 } }
const ok = { jsonrpc: '2.0', id: 'ID', result: RESULT }
const step = (params: object): object => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: 'ID', ...params },
})

test.each<[string, Scripted, (readonly Era[])?]>([
  ['a result', { answers: [ok] }],
  ['a result over HTTP', { answers: [ok], hasStreams: true }],
  ['a result after progress', { answers: [step({ progress: 1 }), step({ progress: 2, total: 3, message: 'x' }), ok] }],
  [
    'progress by a token in text',
    { answers: [JSON.parse(JSON.stringify(step({ progress: 1 })).replace('"ID"', '"\\"ID\\""')), ok] },
  ],
  [
    'a question in the result',
    {
      answers: [
        {
          ...ok,
          result: { resultType: 'input_required', requestState: 's', inputRequests: { a: { method: 'roots/list' } } },
        },
      ],
    },
  ],
  ['a question of nothing', { answers: [{ ...ok, result: { resultType: 'input_required' } }] }, ['2026-07-28']],
  ['a result of another type', { answers: [{ ...ok, result: { ...RESULT, resultType: 'task' } }] }],
  ['a result whose type is none', { answers: [{ ...ok, result: { ...RESULT, resultType: 7 } }] }],
  ['an error', { answers: [{ jsonrpc: '2.0', id: 'ID', error: { code: -32_602, message: 'no', data: { a: 1 } } }] }],
  [
    'an error that asks for pages',
    { answers: [{ jsonrpc: '2.0', id: 'ID', error: { code: -32_042, message: 'open', data: { elicitations: [] } } }] },
  ],
  ['no way out', { refusal: new TypeError('socket closed') }],
])('%s is the same by the SDK and past it', async (_what, script, eras = ERAS) => {
  for (const era of eras) {
    const { sdk, past } = await byBoth(script, era)
    expect({ era, ...past }).toEqual({ era, ...sdk })
    expect(past?.sent).toHaveLength(1)
  }
})

test('progress is heard however it is written, since the server is at work', async () => {
  const odd = [
    { progress: 1, total: null, message: null },
    { progress: '2', total: '4' },
    { message: 'still at it' },
    { progress: null, message: { text: 'x' } },
    { progress: 3, total: 'four' },
  ]
  const { past } = await byBoth({ answers: [...odd.map(step), ok] }, '2025-11-25')
  expect(past?.steps).toEqual([
    { progress: 1 },
    { progress: 2, total: 4 },
    { progress: 2, message: 'still at it' },
    { progress: 2 },
    { progress: 3 },
  ])
})

test('a result that does not say its type is one of the older revision alone', async () => {
  const { resultType: _type, ...untyped } = RESULT
  const script = { answers: [{ ...ok, result: untyped }] }
  const [modern, older] = [await byBoth(script, '2026-07-28'), await byBoth(script, '2025-11-25')]
  expect(modern.past).toEqual(modern.sdk)
  expect(modern.past?.outcome).toMatchObject({ kind: 'SdkError' })
  expect(older.past).toEqual(older.sdk)
  expect(older.past?.outcome).toMatchObject({ result: { structuredContent: { a: 1 } } })
})

test.each<[string, (transport: ScriptedTransport, stop: AbortController) => void]>([
  ['given up', (_transport, stop) => stop.abort(new Error('enough'))],
  ['given up for silence', (_transport, stop) => stop.abort('silent')],
  ['cut off', (transport) => void transport.close()],
])('a call that is %s ends, and the server hears of it, as by the SDK', async (_what, disturb) => {
  for (const era of ERAS) {
    for (const hasStreams of [true, false]) {
      const { sdk, past } = await byBoth({ hasStreams }, era, disturb)
      expect({ era, hasStreams, ...past }).toEqual({ era, hasStreams, ...sdk })
    }
  }
})

test('calls at a time each get their own answer, by numbers that the client of the SDK does not use', async () => {
  const { client, transport } = await connected({}, '2025-11-25')
  const plain = createPlainCalls({ client, transport, clientInfo: INFO, capabilities: CAPABILITIES })
  const send = (name: string): Promise<unknown> =>
    plain.send({ name, args: {}, input: {}, onProgress: () => {} }, new AbortController().signal)
  const [first, second] = [send('a'), send('b')]
  const third = client.callTool({ name: 'c' }, { toolDefinition: { name: 'c', inputSchema: { type: 'object' } } })
  await new Promise((resolve) => setImmediate(resolve))
  const ids = transport.sent.map(({ message }) => ('id' in message ? Number(message.id) : Number.NaN))
  expect(ids.map((id) => id > PLAIN_CALL_FIRST_ID)).toEqual([true, true, false])
  for (const id of ids.toReversed()) {
    transport.onmessage?.({ jsonrpc: '2.0', id, result: { content: [], structuredContent: { id } } })
  }
  const results = await Promise.all([first, second, third])
  expect(results).toMatchObject(ids.map((id) => ({ structuredContent: { id } })))
})
