import { isDeepStrictEqual } from 'node:util'
import type { JsonObject, JsonValue } from '../../../../catalog/json.ts'
import { isJsonObject } from '../../../../catalog/json.ts'
import { readTool } from '../../../../catalog/sources/mcp/tools/tool-definition.ts'
import type { OfferList } from '../../../../catalog/sources/mcp/trust/offers/offer-gate.ts'
import { createTool } from '../../../../catalog/tool.ts'
import type { Gate } from './gate.ts'
import type { RpcMessage, RpcRequest } from './rpc-message.ts'

/** A server's answer to a request, without what the caller may not see and what screening keeps back. */
export async function filterAnswer(request: AskedFor, whole: JsonObject, gate: Gate): Promise<JsonObject> {
  const { result } = whole
  return isJsonObject(result) ? { ...whole, result: await filterResult(request, result, gate) } : whole
}

export type AskedFor = Pick<RpcRequest, 'method' | 'params'>

/** Whether something that a server says unasked may be passed on. */
export function mayTell(message: RpcMessage, gate: Gate): boolean {
  if (message.kind === 'answer') return false
  if (message.kind === 'request' || message.method !== 'notifications/resources/updated') return true
  const { uri } = message.params
  return typeof uri === 'string' && gate.resource(uri)
}

async function filterResult({ method, params }: AskedFor, result: JsonObject, gate: Gate): Promise<JsonObject> {
  const isPage = params['cursor'] !== undefined || result['nextCursor'] !== undefined
  switch (method) {
    case 'initialize':
    case 'server/discover':
      return passedGreeting(result, gate)
    case 'tools/list':
      return {
        ...result,
        ...listed(
          'tools',
          itemsOf(result, 'tools')?.flatMap((tool) => passedTool(tool, gate)),
        ),
      }
    case 'resources/list':
      return passedList(result, { key: 'resources', kind: 'resources', isPage, isOpen: isOpenAt('uri', gate) }, gate)
    case 'resources/templates/list':
      return passedList(
        result,
        { key: 'resourceTemplates', kind: 'templates', isPage, isOpen: isOpenAt('uriTemplate', gate) },
        gate,
      )
    case 'prompts/list':
      return passedList(
        result,
        {
          key: 'prompts',
          kind: 'prompts',
          isPage,
          isOpen: ({ name }) => typeof name === 'string' && gate.prompt(name),
        },
        gate,
      )
    default:
      return result
  }
}

interface PassedList extends Omit<OfferList, 'items'> {
  readonly key: string
  readonly isOpen: (item: JsonObject) => boolean
}

async function passedList(result: JsonObject, { key, isOpen, ...list }: PassedList, gate: Gate): Promise<JsonObject> {
  const items = itemsOf(result, key)
  return { ...result, ...listed(key, items && (await gate.screened({ ...list, items: items.filter(isOpen) }))) }
}

function isOpenAt(key: 'uri' | 'uriTemplate', gate: Gate): PassedList['isOpen'] {
  return ({ [key]: uri }) => typeof uri === 'string' && gate.resource(uri)
}

/** Clients put a server's instructions before their model: what is kept back of them is gone, its name stays. */
async function passedGreeting({ instructions, serverInfo, ...rest }: JsonObject, gate: Gate): Promise<JsonObject> {
  const passed = { ...rest, ...keep(rest, 'capabilities', passedCapabilities) }
  const said = { name: gate.server, description: instructions ?? '', serverInfo: serverInfo ?? {} }
  const [kept] = await gate.screened({ kind: 'instructions', items: [said] })
  const own = {
    ...(instructions !== undefined && { instructions }),
    ...(serverInfo !== undefined && { serverInfo }),
  }
  if (kept !== undefined) return { ...passed, ...own }
  const version = isJsonObject(serverInfo) ? serverInfo['version'] : undefined
  return { ...passed, serverInfo: { name: gate.server, version: typeof version === 'string' ? version : '' } }
}

/**
 * A tool is shown as its server describes it now, but only where that is what the catalog has of it, and no more than
 * that: what was screened, pinned and accepted there is what a client sees, and nothing else.
 */
function passedTool(entry: JsonObject, gate: Gate): readonly JsonObject[] {
  const read = readTool(entry)
  if (read.kind !== 'tool') return []
  const known = gate.tool(read.definition.name)
  if (known === undefined) return []
  const { name, title, description, annotations, listing, schemaHash } = createTool('mcp', gate.server, read.definition)
  // The hash, since rules narrow the schema that is known here. Hints too: clients ask their person by them.
  const isKnown =
    schemaHash === known.schemaHash &&
    description === known.description &&
    title === known.title &&
    isDeepStrictEqual(annotations, known.annotations) &&
    isDeepStrictEqual(listing, known.listing)
  if (!isKnown) return []
  const { inputSchema, outputSchema } = read.definition
  return [
    {
      name,
      ...(entry['title'] !== undefined && title !== undefined && { title }),
      ...(entry['description'] !== undefined && { description }),
      inputSchema,
      ...(outputSchema !== undefined && { outputSchema }),
      ...(isJsonObject(entry['annotations']) && {
        annotations: {
          ...annotations,
          ...(entry['annotations']['title'] === title && title !== undefined && { title }),
        },
      }),
      ...(listing?.icons !== undefined && { icons: [...listing.icons] }),
      ...(listing?.meta !== undefined && { _meta: listing.meta }),
    },
  ]
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

function itemsOf(result: JsonObject, key: string): readonly JsonObject[] | undefined {
  const items = result[key]
  return Array.isArray(items) ? items.filter((item: JsonValue) => isJsonObject(item)) : undefined
}

function listed(key: string, items: readonly JsonObject[] | undefined): JsonObject {
  return items === undefined ? {} : { [key]: items }
}
