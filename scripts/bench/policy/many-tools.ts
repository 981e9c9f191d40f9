import type { Tool } from '../../../catalog/tool.ts'
import { createTool } from '../../../catalog/tool.ts'

const VERBS = ['list', 'get', 'create', 'update', 'delete', 'search', 'send', 'export'] as const
const THINGS = ['invoice', 'repo', 'event', 'ticket', 'customer', 'message', 'file', 'order', 'contract'] as const

/** Tools of many servers and plugins, with names as servers give them. */
export function manyTools(count: number): readonly Tool[] {
  return Array.from({ length: count }, (_, index) => {
    const verb = VERBS[index % VERBS.length] ?? 'get'
    const thing = THINGS[Math.floor(index / VERBS.length) % THINGS.length] ?? 'thing'
    const owner = `service${Math.floor(index / 40)}`
    return createTool(index % 3 === 0 ? 'plugin' : 'mcp', owner, {
      name: `${verb}_${thing}_${index}`,
      description: `Tool ${index}`,
      inputSchema: { type: 'object', properties: { amount: { type: 'number' }, note: { type: 'string' } } },
      annotations: { readOnlyHint: verb === 'list' || verb === 'get' || verb === 'search' },
    })
  })
}
