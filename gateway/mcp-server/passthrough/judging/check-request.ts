import type { JsonObject, JsonValue } from '../../../../catalog/json.ts'
import { isJsonObject } from '../../../../catalog/json.ts'
import type { OfferGroup } from '../../offering/first-look.ts'
import type { Gate } from './gate.ts'
import type { RpcFault, RpcRequest } from './rpc-message.ts'

const INVALID_PARAMS = -32_602
const METHOD_NOT_FOUND = -32_601
/** What servers of revisions before 2026-07-28 answer for a resource that is not there. */
const RESOURCE_NOT_FOUND = -32_002

/**
 * Methods that are passed on as they are; `tools/call` goes another way. What is not named here does not pass: a method
 * that we do not know could call a tool past policy.
 */
const PASSED = new Set([
  'initialize',
  'server/discover',
  'ping',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'prompts/list',
  'logging/setLevel',
])

/** Why a request is not passed on; undefined where it may be. What is denied looks as if it were not there. */
export function checkRequest({ method, params }: RpcRequest, gate: Gate): RpcFault | undefined {
  if (PASSED.has(method)) return undefined
  switch (method) {
    case 'resources/read':
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      return checkResource(params['uri'], params, gate)
    case 'prompts/get':
      return checkPrompt(params['name'], gate)
    case 'completion/complete':
      return checkReference(params, gate)
    case 'subscriptions/listen':
      return checkSubscriptions(params, gate)
    default:
      return { code: METHOD_NOT_FOUND, message: 'Method not found' }
  }
}

/** What a request names of what a server offers beside its tools. */
export function offersNamedBy({ method, params }: RpcRequest): OfferGroup | undefined {
  if (method === 'prompts/get') return 'prompts'
  if (method === 'completion/complete') {
    const { ref } = params
    return isJsonObject(ref) && ref['type'] === 'ref/resource' ? 'resources' : 'prompts'
  }
  const isOfResources = method.startsWith('resources/') || method === 'subscriptions/listen'
  return isOfResources && !PASSED.has(method) ? 'resources' : undefined
}

/** Whether a request is of the stateless revision, which knows itself in each of them. */
export function isStateless(params: JsonObject): boolean {
  const meta = params['_meta']
  return isJsonObject(meta) && 'io.modelcontextprotocol/protocolVersion' in meta
}

function checkResource(uri: JsonValue | undefined, params: JsonObject, gate: Gate): RpcFault | undefined {
  // What names nothing is the server's to refuse, in its own words.
  if (uri === undefined) return undefined
  if (typeof uri !== 'string') return { code: INVALID_PARAMS, message: '"uri" has to be a text' }
  if (gate.mayRead(uri)) return undefined
  const code = isStateless(params) ? INVALID_PARAMS : RESOURCE_NOT_FOUND
  return { code, message: 'Resource not found', data: { uri } }
}

function checkPrompt(name: JsonValue | undefined, gate: Gate): RpcFault | undefined {
  if (name === undefined) return undefined
  if (typeof name !== 'string') return { code: INVALID_PARAMS, message: '"name" has to be a text' }
  return gate.mayGet(name) ? undefined : { code: INVALID_PARAMS, message: `Prompt ${name} not found` }
}

function checkReference(params: JsonObject, gate: Gate): RpcFault | undefined {
  const { ref } = params
  if (!isJsonObject(ref)) return { code: INVALID_PARAMS, message: '"ref" has to be an object' }
  return ref['type'] === 'ref/resource' ? checkResource(ref['uri'], params, gate) : checkPrompt(ref['name'], gate)
}

function checkSubscriptions(params: JsonObject, gate: Gate): RpcFault | undefined {
  const { notifications } = params
  const uris = isJsonObject(notifications) ? (notifications['resourceSubscriptions'] ?? []) : []
  if (!Array.isArray(uris)) return { code: INVALID_PARAMS, message: '"resourceSubscriptions" has to be a list' }
  return uris.map((uri: JsonValue) => checkResource(uri, params, gate)).find((fault) => fault !== undefined)
}
