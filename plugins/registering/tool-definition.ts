import { copyJson } from '../../catalog/copy-json.ts'
import type { JsonObject } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import type { ExecuteContext, ToolDefinition } from '../../catalog/tool.ts'
import { TOOL_NAME_MAX_LENGTH } from '../limits.ts'
import { toToolResult } from './tool-result.ts'

export type ToolReading =
  | { readonly kind: 'read'; readonly tool: ToolDefinition }
  | { readonly kind: 'broken'; readonly reason: string }

const FIELDS: readonly string[] = [
  'name',
  'title',
  'label',
  'description',
  'parameters',
  'outputSchema',
  'annotations',
  'examples',
  'execute',
]
const HINTS: readonly string[] = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']
const NO_ARGUMENTS: JsonObject = { type: 'object', properties: {}, additionalProperties: false }

/** Reads what an author gave to `registerTool`. Whether its schemas compile is the catalog's question. */
export function readTool(given: unknown): ToolReading {
  const fault = findFault(given)
  if (fault !== undefined) return { kind: 'broken', reason: fault }
  // JSON drops what TypeBox and authors hang on schemas (symbols, functions) and leaves the plugin no hold on them.
  const data: unknown = copyJson(given)
  if (!isToolData(data) || !isExecutable(given)) return { kind: 'broken', reason: 'it cannot be read' }
  const { label, parameters, ...rest } = data
  const title = data.title ?? label
  const tool: ToolDefinition = {
    ...rest,
    ...(title === undefined ? {} : { title }),
    inputSchema: parameters ?? NO_ARGUMENTS,
    // Called on the author's object, so that `this` is what they wrote.
    execute: async (args, context) => toToolResult(await given.execute(args, context)),
  }
  return { kind: 'read', tool }
}

interface ToolData extends Omit<ToolDefinition, 'inputSchema' | 'execute'> {
  readonly label?: string
  readonly parameters?: JsonObject
}

interface Executable {
  execute(args: JsonObject, context: ExecuteContext): unknown
}

function findFault(given: unknown): string | undefined {
  if (!isJsonObject(given)) return 'its definition is not an object'
  const stray = Object.keys(given).find((key) => !FIELDS.includes(key))
  if (stray !== undefined) return `unknown field "${stray}"; known are ${FIELDS.join(', ')}`
  return findNameFault(given['name']) ?? findTextFault(given) ?? findSchemaFault(given) ?? findRestFault(given)
}

function findNameFault(name: unknown): string | undefined {
  if (typeof name !== 'string' || name === '') return 'it has no name'
  if (name.length <= TOOL_NAME_MAX_LENGTH) return undefined
  return `its name has ${name.length} characters, more than ${TOOL_NAME_MAX_LENGTH}`
}

function findTextFault(given: JsonObject): string | undefined {
  if (typeof given['description'] !== 'string') return 'it has no "description"'
  const untitled = ['title', 'label'].find((key) => given[key] !== undefined && typeof given[key] !== 'string')
  return untitled === undefined ? undefined : `its "${untitled}" is not a string`
}

function findSchemaFault(given: JsonObject): string | undefined {
  const { parameters, outputSchema } = given
  if (parameters !== undefined && !isJsonObject(parameters)) return 'its "parameters" are not a JSON Schema'
  if (isJsonObject(parameters) && parameters['type'] !== 'object') {
    return `its "parameters" have type ${JSON.stringify(parameters['type'])}; arguments are always of type "object"`
  }
  if (outputSchema !== undefined && !isJsonObject(outputSchema)) return 'its "outputSchema" is not a JSON Schema'
  return undefined
}

function findRestFault(given: JsonObject): string | undefined {
  const { annotations, examples, execute } = given
  if (typeof execute !== 'function') return 'its "execute" is not a function'
  if (examples !== undefined && !(Array.isArray(examples) && examples.every(isJsonObject))) {
    return 'its "examples" are not a list of argument objects'
  }
  if (annotations === undefined) return undefined
  if (!isJsonObject(annotations)) return 'its "annotations" are not an object'
  const bad = Object.keys(annotations).find((key) => !HINTS.includes(key) || typeof annotations[key] !== 'boolean')
  return bad === undefined ? undefined : `its annotation "${bad}" is not one of ${HINTS.join(', ')} with true or false`
}

/** `findFault` has looked at every field: what remains is to tell the compiler. */
function isToolData(value: unknown): value is ToolData {
  return isJsonObject(value)
}

function isExecutable(value: unknown): value is Executable {
  return typeof value === 'object' && value !== null && 'execute' in value && typeof value.execute === 'function'
}
