import type {
  GetPromptResult,
  InputRequiredResult,
  Prompt,
  PromptMessage,
  ServerContext,
} from '@modelcontextprotocol/server'
import { inputRequired } from '@modelcontextprotocol/server'
import { image } from './content.ts'
import { acceptedText, askForText } from './input-tools.ts'

type PromptArguments = Readonly<Record<string, string>>

interface SuitePrompt {
  readonly definition: Prompt
  readonly get: (args: PromptArguments, context: ServerContext) => GetPromptResult | InputRequiredResult
}

export const prompts: readonly SuitePrompt[] = [
  prompt('test_simple_prompt', [], () => [said('This is a simple prompt for testing.')]),
  prompt('test_prompt_with_arguments', ['arg1', 'arg2'], ({ arg1, arg2 }) => [
    said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
  ]),
  prompt('test_prompt_with_embedded_resource', ['resourceUri'], ({ resourceUri = '' }) => [
    {
      role: 'user',
      content: {
        type: 'resource',
        resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
      },
    },
    said('Please process the embedded resource above.'),
  ]),
  prompt('test_prompt_with_image', [], () => [
    { role: 'user', content: image },
    said('Please analyze the image above.'),
  ]),
  {
    definition: { name: 'test_input_required_result_prompt', description: 'Asks before it answers' },
    get(_args, context) {
      const given = acceptedText(context, 'user_context', 'context')
      if (given !== undefined) return { messages: [said(`Use this context: ${given}`)] }
      return inputRequired({
        inputRequests: { user_context: askForText('What context should the prompt use?', 'context') },
      })
    },
  },
]

function prompt(
  name: string,
  required: readonly string[],
  messages: (args: PromptArguments) => PromptMessage[],
): SuitePrompt {
  return {
    definition: {
      name,
      description: `What the conformance suite asks of ${name}`,
      arguments: required.map((argument) => ({ name: argument, description: 'A test argument', required: true })),
    },
    get: (args) => ({ messages: messages(args) }),
  }
}

function said(value: string): PromptMessage {
  return { role: 'user', content: { type: 'text', text: value } }
}
