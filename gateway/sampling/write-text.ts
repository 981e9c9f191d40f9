import type { Sample } from '../../bridge/asking/sample.ts'
import type { JsonObject } from '../../catalog/json.ts'
import type { ChosenModel } from '../building/choose-model.ts'
import type { ChatMessage, ModelRequest, Usage } from '../providers/provider.ts'
import { ProviderError } from '../providers/provider.ts'
import { CHARS_PER_TOKEN_MAX } from './limits.ts'

export interface SampleText {
  readonly kind: 'text'
  readonly text: string
  readonly stopReason: 'endTurn' | 'maxTokens'
  readonly usage?: Usage
}

/** What is asked of which model. */
export interface SampleRequest extends ChosenModel {
  readonly sample: Sample
}

/**
 * One answer of a model, bounded whatever the upstream makes of the bound it is given.
 * @throws {ProviderError} when the upstream refuses, breaks off or cannot be reached
 */
export async function writeText(request: SampleRequest, signal: AbortSignal): Promise<SampleText> {
  const [usual, other] = boundNames(request.parameters)
  try {
    return await readStep(request, usual, signal)
  } catch (error) {
    // Servers differ in the name of the bound, and some refuse the one that they do not know.
    if (!(error instanceof ProviderError) || error.code !== 'upstream_refused_request') throw error
    return readStep(request, other, signal)
  }
}

/** Most servers know the first; OpenAI's newer models refuse it. Which one the configuration uses is right. */
function boundNames(parameters: JsonObject): readonly [string, string] {
  const isNewer = parameters['max_completion_tokens'] !== undefined
  return isNewer ? ['max_completion_tokens', 'max_tokens'] : ['max_tokens', 'max_completion_tokens']
}

async function readStep(
  { provider, model, parameters, sample }: SampleRequest,
  boundName: string,
  signal: AbortSignal,
): Promise<SampleText> {
  const request: ModelRequest = {
    model,
    messages: messagesOf(sample),
    tools: [],
    parameters: { ...withoutBounds(parameters), ...optionsOf(sample), [boundName]: sample.maxTokens },
  }
  const maxLength = sample.maxTokens * CHARS_PER_TOKEN_MAX
  let text = ''
  let end: Pick<SampleText, 'stopReason' | 'usage'> = { stopReason: 'endTurn' }
  for await (const event of provider.step(request, signal)) {
    if (event.kind === 'text') text += event.text
    if (event.kind === 'finish') {
      const { reason, usage } = event
      end = { stopReason: reason === 'length' ? 'maxTokens' : 'endTurn', ...(usage && { usage }) }
    }
    if (text.length > maxLength) {
      return { kind: 'text', text: text.slice(0, maxLength).toWellFormed(), stopReason: 'maxTokens' }
    }
  }
  return { kind: 'text', text, ...end }
}

function messagesOf({ messages, systemPrompt }: Sample): readonly ChatMessage[] {
  const said = messages.flatMap(({ role, content }): readonly ChatMessage[] =>
    content.type === 'text' ? [{ role, content: content.text }] : [],
  )
  return systemPrompt === undefined ? said : [{ role: 'system', content: systemPrompt }, ...said]
}

/** Whatever the configuration allows a chat: here the person has allowed so much and no more. */
function withoutBounds(parameters: JsonObject): JsonObject {
  const { max_tokens: _older, max_completion_tokens: _newer, ...rest } = parameters
  return rest
}

function optionsOf({ temperature, stopSequences }: Sample): JsonObject {
  return {
    ...(temperature !== undefined && { temperature }),
    ...(stopSequences && { stop: stopSequences }),
  }
}
