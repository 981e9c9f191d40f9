import type { StepEnd } from '../provider.ts'

/** What a `finish_reason` says of a step, whatever a server calls it; `failed`: the answer is not the model's own end. */
export type FinishKind = Exclude<StepEnd, 'tool_calls'> | 'failed'

/**
 * OpenAI has four words; Mistral says `model_length` and `error`, DeepSeek `insufficient_system_resource`, vLLM and SGLang
 * `abort`, Zhipu `sensitive` and `network_error`, Gemini `function_call_filter: MALFORMED_FUNCTION_CALL`, and proxies pass on
 * the words of Anthropic and Google. A word that is not known ends a step as any does.
 */
export function finishKind(reason: string): FinishKind {
  const word = reason.toLowerCase()
  if (LENGTH.has(word)) return 'length'
  if (FILTERED.has(word)) return 'content_filter'
  return FAILED.has(word) || word.endsWith('malformed_function_call') ? 'failed' : 'stop'
}

const LENGTH: ReadonlySet<string> = new Set(['length', 'max_tokens', 'model_length', 'max_output_tokens'])
const FILTERED: ReadonlySet<string> = new Set(['content_filter', 'safety', 'sensitive', 'prohibited_content'])
const FAILED: ReadonlySet<string> = new Set(['error', 'network_error', 'abort', 'insufficient_system_resource'])
