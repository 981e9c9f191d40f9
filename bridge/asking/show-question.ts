import type { Caller } from '../../catalog/caller.ts'
import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import type { Tool } from '../../catalog/tool.ts'
import type { ApprovalQuestion } from '../approval.ts'
import { askerOf } from './ask-client.ts'
import type { FormField } from './form-field.ts'
import { SAMPLE_SHOWN_MAX_LENGTH } from './limits.ts'
import type { Sample } from './sample.ts'
import type { SampleWriter } from './sample-writer.ts'
import type { ScreenedQuestion } from './screen-question.ts'

export interface ShowDeps {
  readonly writer: SampleWriter
  readonly redact: (text: string) => string
}

/** What who decides is shown; all that the decision is about is in it. */
export type ShownQuestion =
  | {
      readonly kind: 'shown'
      readonly description: string
      readonly input: JsonObject
      readonly question: ApprovalQuestion
    }
  | { readonly kind: 'unaskable'; readonly reason: string }

export function showQuestion(
  { question, tool, caller }: { readonly question: ScreenedQuestion; readonly tool: Tool; readonly caller: Caller },
  deps: ShowDeps,
): ShownQuestion {
  const asker = askerOf(tool, question.kind === 'sample' ? undefined : question.remark)
  switch (question.kind) {
    case 'form': {
      const { message } = question
      const isSecret = (text: string): boolean => deps.redact(text) !== text
      if (question.fields.some((field) => namesOf(field).some(isSecret))) {
        return { kind: 'unaskable', reason: 'a name or choice of its form holds what looks like a secret' }
      }
      const fields = question.fields.map((field) => withoutSecret(field, isSecret))
      const input = { question: message, ...(fields.length > 0 && { fields: fields.map(({ name }) => name) }) }
      return { kind: 'shown', description: message, input, question: { kind: 'form', asker, fields } }
    }
    case 'url': {
      const { message, url, host } = question
      if (deps.redact(url) !== url) {
        return { kind: 'unaskable', reason: 'its address holds what looks like a secret, and would not be shown whole' }
      }
      return {
        kind: 'shown',
        description: message,
        input: { question: message, url },
        question: { kind: 'url', asker, url, host },
      }
    }
    case 'sample':
      return showSample(question.sample, { asker, model: deps.writer.modelFor(caller) })
  }
}

/** What an answer is given in comes back as it is, so that nothing can be taken out of it. */
function namesOf({ name, choices = [] }: FormField): readonly string[] {
  return [name, ...choices.map(({ value }) => value)]
}

/** What a person is shown of a field is kept with the approval; its words have been redacted where they were read. */
function withoutSecret({ default: preset, ...field }: FormField, isSecret: (text: string) => boolean): FormField {
  const texts = Array.isArray(preset) ? preset : [preset]
  const isShown = preset !== undefined && !texts.some((text) => typeof text === 'string' && isSecret(text))
  return isShown ? { ...field, default: preset } : field
}

function showSample(
  { messages, systemPrompt, maxTokens }: Sample,
  { asker, model }: { readonly asker: string; readonly model: string | undefined },
): ShownQuestion {
  if (model === undefined) return { kind: 'unaskable', reason: 'no model is configured that could answer' }
  const said: JsonValue[] = []
  for (const { role, content } of messages) {
    if (content.type !== 'text')
      return { kind: 'unaskable', reason: `the model here is not given ${content.type} blocks` }
    said.push({ role, text: content.text })
  }
  const input = { ...(systemPrompt !== undefined && { systemPrompt }), messages: said, maxTokens }
  const { length } = JSON.stringify(input)
  if (length > SAMPLE_SHOWN_MAX_LENGTH) {
    const reason = `it has ${length} characters, more than the ${SAMPLE_SHOWN_MAX_LENGTH} that a person is shown`
    return { kind: 'unaskable', reason }
  }
  const description = `${asker} asks the model ${model} to answer ${said.length} messages in at most ${maxTokens} tokens`
  return { kind: 'shown', description, input, question: { kind: 'sample', asker, maxTokens, model } }
}
