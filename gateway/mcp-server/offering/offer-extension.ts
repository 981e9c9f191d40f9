import type { Server, ServerCapabilities, ServerContext } from '@modelcontextprotocol/server'
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, isSpecType } from '@modelcontextprotocol/server'
import type { Caller } from '../../../catalog/caller.ts'
import type { JsonObject } from '../../../catalog/json.ts'
import { McpCallError } from '../../../catalog/sources/mcp/errors.ts'
import { ToolTimedOut, ToolUnavailable } from '../../../catalog/tool.ts'
import { fitPrompt } from '../answering/fit-revision.ts'
import type { McpExtension } from '../serving/create-agent-server.ts'
import type { Offered } from './offered-names.ts'
import { offeredPrompt, offeredUri, readOfferedPrompt, readOfferedUri } from './offered-names.ts'
import type { ListedKind, ServerOffers } from './server-offers.ts'

export type OfferedKind = 'resources' | 'prompts'

export interface OfferExtensionDeps {
  readonly offers: ServerOffers
  /** `mcp.passthrough` at this moment. */
  readonly kinds: () => readonly OfferedKind[]
}

type CallerOf = (context: ServerContext) => Caller

/** Resources and prompts of the servers behind, at `/mcp` under namespaced addresses and names. */
export function createOfferExtension({ offers, kinds }: OfferExtensionDeps): McpExtension {
  return {
    capabilities: (): ServerCapabilities => ({
      ...(kinds().includes('resources') && { resources: {} }),
      ...(kinds().includes('prompts') && { prompts: {} }),
      ...(kinds().length > 0 && { completions: {} }),
    }),
    install(server, entryOf) {
      const callerOf: CallerOf = (context) => entryOf(context).authenticated.caller
      if (kinds().includes('resources')) serveResources(server, offers, callerOf)
      if (kinds().includes('prompts')) servePrompts(server, offers, callerOf)
      if (kinds().length > 0) serveCompletions(server, { offers, kinds }, callerOf)
    },
  }
}

const byUri = (key: 'uri' | 'uriTemplate'): Pick<ListedKind, 'nameOf' | 'isOpen' | 'rename'> => ({
  nameOf: (item) => textOf(item, key),
  isOpen: (gate, uri) => gate.resource(uri),
  rename: (item, of) => ({ ...item, [key]: offeredUri(of) }),
})
const RESOURCES: ListedKind = { method: 'resources/list', key: 'resources', kind: 'resources', ...byUri('uri') }
const TEMPLATES: ListedKind = {
  method: 'resources/templates/list',
  key: 'resourceTemplates',
  kind: 'templates',
  ...byUri('uriTemplate'),
}
const PROMPTS: ListedKind = {
  method: 'prompts/list',
  key: 'prompts',
  kind: 'prompts',
  nameOf: (item) => textOf(item, 'name'),
  isOpen: (gate, name) => gate.prompt(name),
  rename: (item, of) => ({ ...item, name: offeredPrompt(of) }),
}

function serveResources(server: Server, offers: ServerOffers, callerOf: CallerOf): void {
  server.setRequestHandler('resources/list', async (_request, context) => ({
    resources: (await offers.list(RESOURCES, callerOf(context), context.mcpReq.signal)).filter((item) =>
      isSpecType.Resource(item),
    ),
  }))
  server.setRequestHandler('resources/templates/list', async (_request, context) => ({
    resourceTemplates: (await offers.list(TEMPLATES, callerOf(context), context.mcpReq.signal)).filter((item) =>
      isSpecType.ResourceTemplate(item),
    ),
  }))
  server.setRequestHandler('resources/read', async ({ params }, context) => {
    const of = readOfferedUri(params.uri)
    if (of === undefined) throw new ResourceNotFoundError(params.uri)
    const caller = callerOf(context)
    const asked = { of, group: 'resources', method: 'resources/read', params: { uri: of.name } } as const
    const result = await refusing(() =>
      offers.ask({ ...asked, isOpen: (gate) => gate.mayRead(of.name) }, caller, context.mcpReq.signal),
    )
    if (result === undefined) throw new ResourceNotFoundError(params.uri)
    if (!isSpecType.ReadResourceResult(result)) throw badAnswer(of)
    return result
  })
}

function servePrompts(server: Server, offers: ServerOffers, callerOf: CallerOf): void {
  server.setRequestHandler('prompts/list', async (_request, context) => ({
    prompts: (await offers.list(PROMPTS, callerOf(context), context.mcpReq.signal)).filter((item) =>
      isSpecType.Prompt(item),
    ),
  }))
  server.setRequestHandler('prompts/get', async ({ params }, context) => {
    const of = readOfferedPrompt(params.name)
    if (of === undefined) throw unknownPrompt(params.name)
    const caller = callerOf(context)
    const args = params.arguments === undefined ? {} : { arguments: { ...params.arguments } }
    const asked = { of, group: 'prompts', method: 'prompts/get', params: { name: of.name, ...args } } as const
    const result = await refusing(() =>
      offers.ask({ ...asked, isOpen: (gate) => gate.mayGet(of.name) }, caller, context.mcpReq.signal),
    )
    if (result === undefined) throw unknownPrompt(params.name)
    if (!isSpecType.GetPromptResult(result)) throw badAnswer(of)
    return fitPrompt(result, server.getNegotiatedProtocolVersion())
  })
}

function serveCompletions(server: Server, { offers, kinds }: OfferExtensionDeps, callerOf: CallerOf): void {
  server.setRequestHandler('completion/complete', async ({ params }, context) => {
    const { ref, argument } = params
    const isPrompt = ref.type === 'ref/prompt'
    const of = isPrompt ? readOfferedPrompt(ref.name) : readOfferedUri(ref.uri)
    const isServed = kinds().includes(isPrompt ? 'prompts' : 'resources')
    if (of === undefined || !isServed) return { completion: { values: [] } }
    const own = isPrompt ? { type: ref.type, name: of.name } : { type: ref.type, uri: of.name }
    const result = await refusing(() =>
      offers.ask(
        {
          of,
          group: isPrompt ? 'prompts' : 'resources',
          method: 'completion/complete',
          params: { ref: own, argument: { ...argument } },
          isOpen: (gate) => (isPrompt ? gate.mayGet(of.name) : gate.mayRead(of.name)),
        },
        callerOf(context),
        context.mcpReq.signal,
      ),
    )
    // What is not there has nothing to complete.
    return result !== undefined && isSpecType.CompleteResult(result) ? result : { completion: { values: [] } }
  })
}

/** What a server refused or could not be asked, as an error of ours with its words. */
async function refusing<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ToolUnavailable || error instanceof ToolTimedOut || error instanceof McpCallError) {
      throw new ProtocolError(ProtocolErrorCode.InternalError, error.message)
    }
    throw error
  }
}

function unknownPrompt(name: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Prompt ${name} not found`)
}

function badAnswer({ server }: Offered): ProtocolError {
  const message = `the server "${server}" answered with something else than the protocol wants`
  return new ProtocolError(ProtocolErrorCode.InternalError, message)
}

function textOf(item: JsonObject, key: string): string | undefined {
  const value = item[key]
  return typeof value === 'string' ? value : undefined
}
