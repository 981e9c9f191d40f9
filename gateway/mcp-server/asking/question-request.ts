import type {
  CreateMessageRequestParams,
  ElicitRequestFormParams,
  InputRequest,
  PrimitiveSchemaDefinition,
} from '@modelcontextprotocol/server'
import { inputRequired } from '@modelcontextprotocol/server'
import { askerOf } from '../../../bridge/asking/ask-client.ts'
import type { FieldChoice, FormField } from '../../../bridge/asking/form-field.ts'
import type { Sample } from '../../../bridge/asking/sample.ts'
import type { PosedQuestion } from './client-questions.ts'

/** A server's question as the client is sent it: made anew out of what was screened, and with the name of who asks. */
export function questionRequest({ tool, question, problem }: PosedQuestion): InputRequest {
  const remark = question.kind === 'sample' ? undefined : question.remark
  const who = `${askerOf(tool, remark)} asks (tool ${tool.name}):`
  const again = problem === undefined ? '' : `\n(The last answer was not taken: ${problem}.)`
  switch (question.kind) {
    case 'form':
      return inputRequired.elicit({
        message: `${who}\n${question.message}${again}`,
        requestedSchema: formSchema(question.fields),
      })
    case 'url': {
      const message = `${who}\n${question.message}\n(It wants a page of ${question.host} to be opened.)`
      return inputRequired.elicitUrl({ message, url: question.url })
    }
    case 'sample':
      return inputRequired.createMessage({
        ...sampleParams(question.sample),
        // A request for an answer of a model has no other place for it.
        _meta: { 'drawbridge/asker': who },
      })
  }
}

function sampleParams({ messages, modelPreferences, stopSequences, ...rest }: Sample): CreateMessageRequestParams {
  return {
    ...rest,
    messages: messages.map(({ role, content }) => ({ role, content: { ...content } })),
    ...(stopSequences && { stopSequences: [...stopSequences] }),
    ...(modelPreferences && { modelPreferences: JSON.parse(JSON.stringify(modelPreferences)) }),
  }
}

function formSchema(fields: readonly FormField[]): ElicitRequestFormParams['requestedSchema'] {
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)] as const)),
    required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  }
}

function fieldSchema(field: FormField): PrimitiveSchemaDefinition {
  const { type, title, description, default: preset, min, max, choices = [] } = field
  const words = { ...(title !== undefined && { title }), ...(description !== undefined && { description }) }
  switch (type) {
    case 'boolean':
      return { type, ...words, ...(typeof preset === 'boolean' && { default: preset }) }
    case 'integer':
    case 'number':
      return {
        type,
        ...words,
        ...(typeof preset === 'number' && { default: preset }),
        ...(min !== undefined && { minimum: min }),
        ...(max !== undefined && { maximum: max }),
      }
    case 'text':
      return {
        type: 'string',
        ...words,
        ...(typeof preset === 'string' && { default: preset }),
        ...(field.format && { format: field.format }),
        ...(min !== undefined && { minLength: min }),
        ...(max !== undefined && { maxLength: max }),
      }
    case 'choice':
      return { type: 'string', ...words, ...choiceOf(choices), ...(typeof preset === 'string' && { default: preset }) }
    case 'choices':
      return {
        type: 'array',
        ...words,
        items: { anyOf: choices.map(({ value, title: name = value }) => ({ const: value, title: name })) },
        ...(Array.isArray(preset) && { default: [...preset] }),
        ...(min !== undefined && { minItems: min }),
        ...(max !== undefined && { maxItems: max }),
      }
  }
}

/** In the form that every revision knows. */
function choiceOf(choices: readonly FieldChoice[]): { readonly enum: string[]; readonly enumNames?: string[] } {
  const values = choices.map(({ value }) => value)
  if (choices.every(({ title }) => title === undefined)) return { enum: values }
  return { enum: values, enumNames: choices.map(({ value, title = value }) => title) }
}
