import { expect, test } from 'vitest'
import type { Tool, ToolDefinition } from '../tool.ts'
import { createTool } from '../tool.ts'
import { createSearchIndex } from './create-search-index.ts'

const everything = (): boolean => true

function aTool(definition: Partial<ToolDefinition> & { readonly name: string }, owner = 'office'): Tool {
  return createTool('mcp', owner, { description: '', inputSchema: { type: 'object' }, ...definition })
}

test('the tool that a request describes comes first', () => {
  const index = createSearchIndex()
  index.put(aTool({ name: 'create_event', description: 'Create a calendar event' }))
  index.put(aTool({ name: 'send_message', description: 'Send a message to a channel' }))
  const { hits } = index.search('add an appointment to my calendar', { limit: 5, accept: everything })
  expect(hits[0]?.id).toBe('mcp:office:create_event')
})
