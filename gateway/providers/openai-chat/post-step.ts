import type OpenAI from 'openai'
import { APIError } from 'openai'

export type PostStep = (body: StepBody, signal: AbortSignal) => Promise<Response>

export interface StepBody {
  readonly model: string
  readonly [field: string]: unknown
}

/**
 * Asks for one step. Servers differ in the name of the bound on an answer (OpenAI's newer models refuse `max_tokens`, others
 * the name that OpenAI has for it now), and some refuse to be asked for token counts. A client cannot know which model stands
 * behind an agent, so a request that is refused for one of these is asked again without it.
 */
export function createPostStep(client: OpenAI): PostStep {
  /** What each model has refused, and then answered without. */
  const refused = new Map<string, readonly Field[]>()
  const post = async (asked: StepBody, without: readonly Field[], signal: AbortSignal): Promise<Response> => {
    const body = without.reduce(withoutField, asked)
    try {
      return await client.post('/chat/completions', { body, stream: true, signal }).asResponse()
    } catch (error) {
      const field = error instanceof APIError ? refusedField(body, without, error) : undefined
      if (field === undefined) throw error
      const response = await post(asked, [...without, field], signal)
      refused.set(asked.model, [...without, field])
      return response
    }
  }
  return (body, signal) => post(body, refused.get(body.model) ?? [], signal)
}

const OTHER_NAME = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens',
  stream_options: undefined,
} as const
type Field = keyof typeof OTHER_NAME
const FIELDS: readonly Field[] = ['max_tokens', 'max_completion_tokens', 'stream_options']

/** Each server has a form of its own for a refusal; what they share is that it names the field. */
function refusedField(body: StepBody, without: readonly Field[], { status, error }: APIError): Field | undefined {
  if (status !== 400 && status !== 422) return undefined
  const said = JSON.stringify(error ?? '')
  return FIELDS.find((field) => {
    const other = OTHER_NAME[field]
    const isTried = other !== undefined && (without.includes(other) || body[other] !== undefined)
    return body[field] !== undefined && !isTried && new RegExp(`\\b${field}\\b`).test(said)
  })
}

function withoutField(body: StepBody, field: Field): StepBody {
  if (body[field] === undefined) return body
  const { [field]: value, ...rest } = body
  const other = OTHER_NAME[field]
  return { ...rest, model: body.model, ...(other !== undefined && rest[other] === undefined && { [other]: value }) }
}
