import type { JsonObject } from '../json.ts'
import type { Tool } from '../tool.ts'
import { createTool } from '../tool.ts'

/** A function that the client declares in its request and runs itself. */
export interface ClientFunction {
  readonly name: string
  readonly description?: string
  /** JSON Schema of its arguments; absent means none. */
  readonly parameters?: JsonObject
}

/** Tools of one request: they live in that caller's view only and have no `execute`. */
export function clientTools(functions: readonly ClientFunction[]): readonly Tool[] {
  return functions.map((declared) =>
    createTool('client', 'client', {
      name: declared.name,
      description: declared.description ?? '',
      inputSchema: declared.parameters ?? { type: 'object', properties: {} },
    }),
  )
}
