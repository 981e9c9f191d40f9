import { isDeepStrictEqual } from 'node:util'
import type { JsonObject, JsonValue } from '../../../../catalog/json.ts'
import { isJsonObject } from '../../../../catalog/json.ts'
import { readTool } from '../../../../catalog/sources/mcp/tools/tool-definition.ts'
import { createTool } from '../../../../catalog/tool.ts'
import type { Gate } from './gate.ts'
import type { RpcMessage } from './rpc-message.ts'

/** A server's answer to `method`, without what the caller may not see. */
export function filterAnswer(method: string, whole: JsonObject, gate: Gate): JsonObject {
  const { result } = whole
  return isJsonObject(result) ? { ...whole, result: filterResult(method, result, gate) } : whole
}

/** Whether something that a server says unasked may be passed on. */
export function mayTell(message: RpcMessage, gate: Gate): boolean {
  if (message.kind === 'answer') return false
  if (message.kind === 'request' || message.method !== 'notifications/resources/updated') return true
  const { uri } = message.params
  return typeof uri === 'string' && gate.resource(uri)
}

function filterResult(method: string, result: JsonObject, gate: Gate): JsonObject {
  switch (method) {
    case 'initialize':
    case 'server/discover':
      return { ...result, ...keep(result, 'capabilities', passedCapabilities) }
    case 'tools/list':
      return { ...result, ...keepItems(result, 'tools', (tool) => isKnownTool(tool, gate)) }
    case 'resources/list':
      return {
        ...result,
        ...keepItems(result, 'resources', ({ uri }) => typeof uri === 'string' && gate.resource(uri)),
      }
    case 'resources/templates/list':
      return {
        ...result,
        ...keepItems(
          result,
          'resourceTemplates',
          ({ uriTemplate: uri }) => typeof uri === 'string' && gate.resource(uri),
        ),
      }
    case 'prompts/list':
      return { ...result, ...keepItems(result, 'prompts', ({ name }) => typeof name === 'string' && gate.prompt(name)) }
    default:
      return result
  }
}

/**
 * A tool is shown as its server describes it now, but only where that is what the catalog has of it: what was screened
 * and accepted there is what a client sees, and nothing else.
 */
function isKnownTool(entry: JsonObject, gate: Gate): boolean {
  const read = readTool(entry)
  if (read.kind !== 'tool') return false
  const known = gate.tool(read.definition.name)
  if (known === undefined) return false
  const { title, description, annotations, schemaHash } = createTool('mcp', gate.server, read.definition)
  // The hash, since rules narrow the schema that is known here. Hints too: clients ask their person by them.
  return (
    schemaHash === known.schemaHash &&
    description === known.description &&
    title === known.title &&
    isDeepStrictEqual(annotations, known.annotations)
  )
}

/** Tasks are worked on by methods that do not pass; a client that were told of them would use them. */
function passedCapabilities(capabilities: JsonObject): JsonObject {
  const { tasks: _tasks, extensions, ...rest } = capabilities
  if (!isJsonObject(extensions)) return rest
  const { 'io.modelcontextprotocol/tasks': _extension, ...passed } = extensions
  return { ...rest, extensions: passed }
}

function keep(result: JsonObject, key: string, change: (value: JsonObject) => JsonObject): JsonObject {
  const value = result[key]
  return isJsonObject(value) ? { [key]: change(value) } : {}
}

function keepItems(result: JsonObject, key: string, isKept: (item: JsonObject) => boolean): JsonObject {
  const items = result[key]
  if (!Array.isArray(items)) return {}
  return { [key]: items.filter((item: JsonValue) => isJsonObject(item) && isKept(item)) }
}
