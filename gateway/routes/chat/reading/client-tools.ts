import type { JsonObject, JsonValue } from '../../../../catalog/json.ts'
import type { ToolDefinition } from '../../../../catalog/tool.ts'
import type { Static } from '../../../schema/type.ts'
import { Type } from '../../../schema/type.ts'
import { HttpError } from '../../../http/http-error.ts'
import { checkShape } from './check-shape.ts'
import { CLIENT_TOOLS_MAX } from '../limits.ts'

/** Names that every provider takes. */
const NAME = { pattern: '^[A-Za-z0-9_-]{1,64}$', 'x-expected': '1 to 64 letters, digits, "_" or "-"' }

const ClientTool = Type.Object({
  type: Type.Enum(['function']),
  function: Type.Object({
    name: Type.String(NAME),
    description: Type.Optional(Type.String()),
    parameters: Type.Optional(Type.AnyObject()),
    strict: Type.Optional(Type.Boolean()),
  }),
})

/** `tools` of a request, as OpenAI writes them. */
export const ClientTools = Type.Array(ClientTool, { maxItems: CLIENT_TOOLS_MAX })

const ToolList = Type.Object({ tools: ClientTools })

/**
 * The client's own tools of a request that has no messages.
 * @throws {HttpError} 400 that names the field
 */
export function readClientTools(tools: JsonValue | undefined): readonly ToolDefinition[] {
  if (tools === undefined || tools === null) return []
  const value: JsonObject = { tools }
  checkShape(ToolList, value, '')
  return clientToolsOf(value.tools)
}

/** @throws {HttpError} 400 that names the field of a name that stands twice */
export function clientToolsOf(tools: Static<typeof ClientTools>): readonly ToolDefinition[] {
  const read = tools.map(toolOf)
  refuseDuplicates(read)
  return read
}

function toolOf(tool: Static<typeof ClientTool>): ToolDefinition {
  const { name, description = '', parameters = { type: 'object', properties: {} }, strict } = tool.function
  return { name, description, inputSchema: parameters, ...(strict !== undefined && { strict }) }
}

function refuseDuplicates(tools: readonly ToolDefinition[]): void {
  const names = new Set<string>()
  for (const [index, { name }] of tools.entries()) {
    const param = `tools[${index}].function.name`
    if (names.has(name)) {
      throw new HttpError('invalid_request', `${param} "${name}" stands twice in tools; names must be unique`, {
        param,
      })
    }
    names.add(name)
  }
}
