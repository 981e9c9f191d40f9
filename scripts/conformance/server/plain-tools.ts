import { setTimeout as pause } from 'node:timers/promises'
import { MissingRequiredClientCapabilityError } from '@modelcontextprotocol/server'
import { audio, image, text } from './content.ts'
import { declaredCapabilities } from './declared-capabilities.ts'
import type { SuiteTool } from './suite-tool.ts'
import { suiteTool } from './suite-tool.ts'

/** The suite asks for about 50 ms between two notifications. */
const STEP_MS = 50

/** Told when a tool is asked to change a list. */
export interface ListChanges {
  readonly toolsChanged: () => void
  readonly promptsChanged: () => void
}

/** Tools that need nothing of the client. */
export function plainTools(changes: ListChanges): readonly SuiteTool[] {
  return [...contentTools, ...tellingTools, schemaTool, ...changingTools(changes)]
}

const contentTools: readonly SuiteTool[] = [
  suiteTool('test_simple_text', {}, () => text('This is a simple text response for testing.')),
  suiteTool('test_image_content', {}, () => ({ content: [image] })),
  suiteTool('test_audio_content', {}, () => ({ content: [audio] })),
  suiteTool('test_embedded_resource', {}, () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  })),
  suiteTool('test_multiple_content_types', {}, () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  })),
  suiteTool('test_error_handling', {}, () => ({
    ...text('This tool intentionally returns an error for testing'),
    isError: true,
  })),
]

const tellingTools: readonly SuiteTool[] = [
  suiteTool('test_tool_with_logging', {}, async (_args, { mcpReq }) => {
    await mcpReq.log('info', 'Tool execution started')
    await pause(STEP_MS)
    await mcpReq.log('info', 'Tool processing data')
    await pause(STEP_MS)
    await mcpReq.log('info', 'Tool execution completed')
    return text('three log messages were sent')
  }),
  suiteTool('test_logging_tool', {}, async (_args, { mcpReq }) => {
    await mcpReq.log('info', 'only who asked for a level is told')
    return text('one log message was sent to who wanted it')
  }),
  suiteTool('test_tool_with_progress', {}, async (_args, { mcpReq }) => {
    const progressToken = mcpReq['_meta']?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
      }
      if (progress < 100) await pause(STEP_MS)
    }
    return text('done in three steps')
  }),
  suiteTool('test_missing_capability', {}, (_args, context) => {
    if (declaredCapabilities(context)['sampling'] === undefined) {
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
    }
    return text('sampling is declared')
  }),
]

function changingTools(changes: ListChanges): readonly SuiteTool[] {
  return [
    suiteTool('test_trigger_tool_change', {}, () => {
      changes.toolsChanged()
      return text('the tools changed')
    }),
    suiteTool('test_trigger_prompt_change', {}, () => {
      changes.promptsChanged()
      return text('the prompts changed')
    }),
  ]
}

const schemaTool: SuiteTool = {
  definition: {
    name: 'json_schema_2020_12_tool',
    description: 'Tool with JSON Schema 2020-12 features',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
  },
  run: (args) => text(JSON.stringify(args)),
}
