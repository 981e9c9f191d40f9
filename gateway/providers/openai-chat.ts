import OpenAI from 'openai'
import { assembleStep } from './openai-chat/assemble-step.ts'
import { createCallIdForm } from './openai-chat/call-id-form.ts'
import { fetchUpstream } from './openai-chat/fetch-upstream.ts'
import { SECRET_MIN_LENGTH, UPSTREAM_RETRIES, UPSTREAM_SILENCE_MS } from './limits.ts'
import { openChunks } from './openai-chat/open-chunks.ts'
import type { ModelRequest, Provider } from './provider.ts'
import type { Upstream } from './openai-chat/provider-failure.ts'
import { providerFailure, timedOut } from './openai-chat/provider-failure.ts'
import type { StepBody } from './openai-chat/post-step.ts'
import { createPostStep } from './openai-chat/post-step.ts'
import type { Chunk } from './openai-chat/read-chunk.ts'
import { retryChunks } from './openai-chat/retry-chunks.ts'
import { createSilenceDeadline } from './openai-chat/silence-deadline.ts'
import { wireMessages } from './openai-chat/wire-messages.ts'
import { wireTools } from './wire-tools.ts'

export interface OpenAiChatOptions {
  /** Name under `models.providers`; stands in every error. */
  readonly name: string
  /** With the version part, e.g. `https://api.openai.com/v1`. */
  readonly baseUrl: string
  /** Absent for servers without keys (Ollama, vLLM): then no `Authorization` is sent. */
  readonly apiKey?: string
  /** Sent with every request, beside the client library's own. */
  readonly headers?: Readonly<Record<string, string>>
  /** Longest silence before and within an answer; default 280 s. */
  readonly silenceMs?: number
  /** Attempts after the first, on connection errors, 408, 409, 429 and 5xx, as a status or ahead of an answer's first word; default 2. */
  readonly retries?: number
  /** Whether to ask for token counts in the stream; `false` for servers that refuse `stream_options`. Default true. */
  readonly streamUsage?: boolean
}

/** Any server that speaks OpenAI Chat Completions; it is always asked to stream. */
export function createOpenAiChatProvider(options: OpenAiChatOptions): Provider {
  const post = createPostStep(createClient(options))
  const callIds = createCallIdForm(options.baseUrl)
  const upstream: Upstream = { name: options.name, baseUrl: options.baseUrl, secrets: secretsOf(options) }
  return {
    name: options.name,
    async *step(request, signal) {
      signal.throwIfAborted()
      const deadline = createSilenceDeadline(options.silenceMs ?? UPSTREAM_SILENCE_MS, signal)
      try {
        const messages = callIds.wire(request.model, wireMessages(request.messages, request.tools))
        const body = bodyOf({ ...request, messages }, options.streamUsage ?? true)
        const open = (): AsyncIterable<Chunk> => openChunks(post, body, deadline)
        const chunks = retryChunks(open, options.retries ?? UPSTREAM_RETRIES, deadline.controller.signal)
        for await (const event of assembleStep(chunks, upstream.name)) {
          if (event.kind === 'tool-call') callIds.saw(request.model, event.call.id)
          yield event
        }
      } catch (error) {
        signal.throwIfAborted()
        throw deadline.isExpired() ? timedOut(upstream, error) : providerFailure(error, upstream, request.model)
      } finally {
        deadline.stop()
      }
    },
  }
}

/** Headers hold titles and versions too, which are no secrets and must not black out an error's words. */
function secretsOf({ apiKey, headers }: OpenAiChatOptions): readonly string[] {
  const secret = Object.entries(headers ?? {}).filter(([name]) => /auth|key|token|secret|cookie/i.test(name))
  const words = secret.flatMap(([, value]) => value.split(/\s+/)).filter((word) => word.length >= SECRET_MIN_LENGTH)
  return apiKey === undefined || apiKey === '' ? words : [apiKey, ...words]
}

/** Every option that the library would else read from the environment is given, so that only the configuration counts. */
function createClient(options: OpenAiChatOptions): OpenAI {
  return new OpenAI({
    baseURL: options.baseUrl,
    apiKey: options.apiKey ?? 'none',
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: options.retries ?? UPSTREAM_RETRIES,
    // Ours is the silence deadline; the library's would be retried.
    timeout: 2 * (options.silenceMs ?? UPSTREAM_SILENCE_MS),
    logLevel: 'off',
    fetch: fetchUpstream,
    defaultHeaders: { ...(options.apiKey === undefined && { authorization: null }), ...options.headers },
  })
}

function bodyOf(request: ModelRequest, streamUsage: boolean): StepBody {
  const { parallel_tool_calls: parallel, ...parameters } = request.parameters
  const withTools = {
    tools: wireTools(request.tools),
    ...(parallel !== undefined && { parallel_tool_calls: parallel }),
    ...(request.toolChoice !== undefined && request.toolChoice !== 'auto' && { tool_choice: request.toolChoice }),
  }
  return {
    ...parameters,
    model: request.model,
    messages: request.messages,
    // An empty list and a choice without tools are refused by several servers.
    ...(request.tools.length > 0 && withTools),
    stream: true,
    ...(streamUsage && { stream_options: { include_usage: true } }),
  }
}
