import type { ElicitRequestFormParams } from '@modelcontextprotocol/server'
import { text } from './content.ts'
import type { SuiteTool } from './suite-tool.ts'
import { suiteTool } from './suite-tool.ts'

type Schema = ElicitRequestFormParams['requestedSchema']

const SAMPLE_TOKENS = 100

/** Tools that ask the client by a request of their own, as servers did before 2026-07-28. */
export const askingTools: readonly SuiteTool[] = [
  suiteTool('test_sampling', { prompt: { type: 'string' } }, async ({ prompt }, { mcpReq }) => {
    const { content } = await mcpReq.requestSampling({
      messages: [{ role: 'user', content: { type: 'text', text: String(prompt) } }],
      maxTokens: SAMPLE_TOKENS,
    })
    const said = !Array.isArray(content) && content.type === 'text' ? content.text : JSON.stringify(content)
    return text(`LLM response: ${said}`)
  }),
  suiteTool('test_elicitation', { message: { type: 'string' } }, async ({ message }, { mcpReq }) => {
    const answer = await mcpReq.elicitInput({ mode: 'form', message: String(message), requestedSchema: person() })
    return text(`User response: ${JSON.stringify(answer)}`)
  }),
  suiteTool('test_elicitation_sep1034_defaults', {}, async (_args, { mcpReq }) => {
    const message = 'Please review the defaults'
    const { action, content } = await mcpReq.elicitInput({ mode: 'form', message, requestedSchema: defaults() })
    return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`)
  }),
  suiteTool('test_elicitation_sep1330_enums', {}, async (_args, { mcpReq }) => {
    const message = 'Please choose'
    const { action, content } = await mcpReq.elicitInput({ mode: 'form', message, requestedSchema: choices() })
    return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`)
  }),
]

function person(): Schema {
  return {
    type: 'object',
    properties: {
      username: { type: 'string', description: "User's response" },
      email: { type: 'string', description: "User's email address" },
    },
    required: ['username', 'email'],
  }
}

function defaults(): Schema {
  return {
    type: 'object',
    properties: {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    },
  }
}

/** The five forms in which a choice can be asked for. */
function choices(): Schema {
  const titled = ['First', 'Second', 'Third'].map((title, at) => ({
    const: `value${at + 1}`,
    title: `${title} Option`,
  }))
  return {
    type: 'object',
    properties: {
      untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
      titledSingle: { type: 'string', oneOf: titled },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
      titledMulti: { type: 'array', items: { anyOf: titled } },
    },
  }
}
