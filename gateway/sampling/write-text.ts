import type { Sample } from '../../bridge/asking/sample.ts'
import type { JsonObject } from '../../catalog/json.ts'
import type { ChosenModel } from '../providers/choose-model.ts'
import type { ChatMessage, ModelRequest, Usage } from '../providers/provider.ts'
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
export async function writeText(
  { provider, model, parameters, sample }: SampleRequest,
  signal: AbortSignal,
): Promise<SampleText> {
  const request: ModelRequest = {
    model,
    messages: messagesOf(sample),
    tools: [],
    parameters: { ...withoutBounds(parameters), ...optionsOf(sample), [boundName(parameters)]: sample.maxTokens },
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

/** The one that the configuration uses; the provider knows what to do where its server wants the other. */
function boundName(parameters: JsonObject): string {
  return parameters['max_completion_tokens'] === undefined ? 'max_tokens' : 'max_completion_tokens'
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
