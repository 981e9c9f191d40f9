import { isJsonObject } from '../../../catalog/json.ts'

/**
 * The error in the body of a refusal. OpenAI puts it under `error`; Gemini puts that into a list, Cloudflare a list under
 * `errors`, and servers made with FastAPI (vLLM, Mistral, TGI) have a `detail` or a bare `message`.
 */
export function errorIn(body: unknown): unknown {
  const whole: unknown = Array.isArray(body) ? body[0] : body
  if (!isJsonObject(whole)) return whole
  if (whole['error'] !== undefined && whole['error'] !== null) return whole['error']
  const errors = whole['errors']
  if (Array.isArray(errors) && errors.length > 0) return errors[0]
  return whole
}

/** Groq refuses the request where its model wrote a call that it cannot read; the next attempt writes another. */
export const MISWRITTEN_CALL = 'tool_use_failed'

/** What it says; undefined where it says nothing. */
export function wordsOf(error: unknown): string | undefined {
  if (typeof error === 'string') return error
  if (!isJsonObject(error)) return undefined
  const { message, detail, metadata } = error
  const said = wordsIn(message) ?? wordsIn(detail)
  // OpenRouter says that its provider failed, and quotes that here.
  const quoted = isJsonObject(metadata) ? wordsIn(metadata['raw']) : undefined
  return said === undefined || quoted === undefined ? said : `${said}: ${quoted}`
}

/** FastAPI lists each field with its place. */
function wordsIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  if (isJsonObject(value)) return wordsIn(value['detail']) ?? wordsIn(value['message'])
  if (!Array.isArray(value)) return undefined
  const problems: readonly unknown[] = value
  const words = problems.flatMap((problem) => {
    if (!isJsonObject(problem) || typeof problem['msg'] !== 'string') return []
    return [[...(Array.isArray(problem['loc']) ? [problem['loc'].join('.')] : []), problem['msg']].join(': ')]
  })
  return words.length === 0 ? undefined : words.join('; ')
}
