import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

/** What the model does in one step. */
export type Step =
  | { readonly say?: string; readonly calls?: readonly ScriptedCall[]; readonly reason?: string }
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** Bytes of an event stream as they are, for what no well-behaved server sends. */
  | { readonly raw: string }
  /** Sends the beginning, if any, and then nothing for ever. */
  | { readonly hang: string }

export interface ScriptedCall {
  readonly name: string
  /** A text goes out as it is; anything else as JSON. */
  readonly args: unknown
  readonly id?: string
}

export interface SeenRequest {
  readonly body: ReturnType<typeof JSON.parse>
  readonly headers: IncomingMessage['headers']
  /** Settles when its connection has gone before the answer was whole. */
  readonly dropped: Promise<void>
}

/** An OpenAI-compatible server whose model does what each test says, one step after the other. */
export interface FakeUpstream {
  readonly baseUrl: string
  readonly seen: readonly SeenRequest[]
  /** The next steps; what an earlier test left over is forgotten, and so is what was seen. */
  script(...steps: readonly Step[]): void
  /** The messages that the model was shown in its n-th step. */
  messages(step: number): ReturnType<typeof JSON.parse>
  toolNames(step: number): readonly string[]
  close(): Promise<void>
}

export async function startFakeUpstream(): Promise<FakeUpstream> {
  let steps: Step[] = []
  const seen: SeenRequest[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = JSON.parse(await text(request))
    const dropped = new Promise<void>((resolve) => {
      response.once('close', () => {
        if (!response.writableFinished) resolve()
      })
    })
    seen.push({ body, headers: request.headers, dropped })
    play(steps.shift() ?? { status: 500, body: { error: { message: 'no step was scripted' } } }, response)
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const bodyOf = (step: number): ReturnType<typeof JSON.parse> => seen[step - 1]?.body
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    seen,
    script(...next) {
      steps = [...next]
      seen.length = 0
    },
    messages: (step) => bodyOf(step)?.messages,
    toolNames: (step) => (bodyOf(step)?.tools ?? []).map((tool: { function: { name: string } }) => tool.function.name),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function play(step: Step, response: ServerResponse): void {
  if ('status' in step) {
    response.writeHead(step.status, { 'content-type': 'application/json', ...step.headers })
    response.end(JSON.stringify(step.body ?? { error: { message: `scripted status ${step.status}` } }))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
  if ('hang' in step) return void (step.hang !== '' && response.write(frame({ content: step.hang })))
  if ('raw' in step) return void response.end(step.raw)
  const { say, calls = [], reason = calls.length > 0 ? 'tool_calls' : 'stop' } = step
  if (say !== undefined) for (const part of say.match(/.{1,8}/gs) ?? []) response.write(frame({ content: part }))
  for (const [index, call] of calls.entries()) sendCall(index, call, response)
  response.write(frame({}, { finish_reason: reason }))
  response.write(`data: ${JSON.stringify({ ...HEAD, choices: [], usage: USAGE })}\n\n`)
  response.end('data: [DONE]\n\n')
}

/** In two halves, as providers do. */
function sendCall(index: number, { name, args, id }: ScriptedCall, response: ServerResponse): void {
  const whole = typeof args === 'string' ? args : JSON.stringify(args)
  const half = Math.ceil(whole.length / 2)
  const head = {
    index,
    id: id ?? `up_${index + 1}`,
    type: 'function',
    function: { name, arguments: whole.slice(0, half) },
  }
  response.write(frame({ tool_calls: [head] }))
  response.write(frame({ tool_calls: [{ index, function: { arguments: whole.slice(half) } }] }))
}

const HEAD = { id: 'chatcmpl-fake', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'fake' }
/** Of each step: a turn's usage is the sum. */
export const USAGE = { prompt_tokens: 100, completion_tokens: 7, total_tokens: 107 }

function frame(delta: object, more: object = {}): string {
  return `data: ${JSON.stringify({ ...HEAD, choices: [{ index: 0, delta, finish_reason: null, ...more }] })}\n\n`
}
