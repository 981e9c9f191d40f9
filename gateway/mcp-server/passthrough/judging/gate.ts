import type { Caller } from '../../../../catalog/caller.ts'
import type { JsonObject } from '../../../../catalog/json.ts'
import type { Tool } from '../../../../catalog/tool.ts'
import { createTool } from '../../../../catalog/tool.ts'
import { offerId } from '../../../../catalog/sources/mcp/trust/offers/offer.ts'
import type { OfferGate, OfferList } from '../../../../catalog/sources/mcp/trust/offers/offer-gate.ts'
import { toolId } from '../../../../catalog/tool-id.ts'
import type { View } from '../../../../catalog/view.ts'
import type { Verdict } from '../../../../policy/decide.ts'
import type { FirstLook, OfferGroup } from '../../offering/first-look.ts'
import { spellingsOf } from './uri-spellings.ts'

/** What one caller may see and use of one server. */
export interface Gate {
  readonly server: string
  /** Whether anything at all of the server is open to the caller; else it is not there. */
  readonly isOpen: boolean
  readonly view: View
  /** The tool of the catalog with this name, where the caller may see it. */
  tool(name: string): Tool | undefined
  resource(uri: string): boolean
  prompt(name: string): boolean
  /** Of what a server offers beside its tools: without what screening keeps back. */
  screened(list: OfferList): Promise<readonly JsonObject[]>
  /** Before the first of a kind is asked for. Rejects as `FirstLook` does. */
  lookedAt(group: OfferGroup, signal: AbortSignal): Promise<void>
  /** By policy and screening. */
  mayRead(uri: string): boolean
  mayGet(prompt: string): boolean
}

export interface GateDeps {
  readonly viewFor: (caller: Caller) => View
  readonly decide: (tool: Tool, caller: Caller, input: JsonObject) => Verdict
  readonly offers: Pick<OfferGate, 'screened' | 'isWithheld'>
  readonly firstLook: FirstLook
}

/**
 * Tools are judged by their own ids, as on every way in. A resource is `mcp:<server>:resources/<uri>` to policy and a
 * prompt `mcp:<server>:prompts/<name>`: patterns over a whole server hold for them too, and an allow list that names
 * single tools lets none of them through. Whatever would have to be asked for is closed: reading has no approval.
 */
export function createGate(server: string, caller: Caller, deps: GateDeps): Gate {
  const view = deps.viewFor(caller)
  const isAllowed = (name: string): boolean => deps.decide(standIn(server, name), caller, {}).kind === 'allow'
  const tool = (name: string): Tool | undefined => {
    const id = toolId('mcp', server, name)
    const found = view.has(id) ? view.resolve(id) : undefined
    return found?.kind === 'found' ? found.tool : undefined
  }
  const isFree = (name: string): boolean => !deps.offers.isWithheld(server, name)
  // Each has to be open: what one spelling of an address is kept from, no other reaches.
  const resource = (uri: string): boolean => spellingsOf(uri).every((spelling) => isAllowed(`resources/${spelling}`))
  const prompt = (name: string): boolean => isAllowed(`prompts/${name}`)
  return {
    server,
    view,
    get isOpen() {
      return (
        ['*', 'resources/*', 'prompts/*'].some(isAllowed) ||
        view.tools.some(({ source, owner }) => source === 'mcp' && owner === server)
      )
    },
    tool,
    resource,
    prompt,
    screened: (list) => deps.offers.screened(server, list),
    lookedAt: (group, signal) => deps.firstLook(server, group, signal),
    mayRead: (uri) => resource(uri) && spellingsOf(uri).every((spelling) => isFree(`resources/${spelling}`)),
    mayGet: (name) => prompt(name) && isFree(`prompts/${name}`),
  }
}

function standIn(server: string, name: string): Tool {
  const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
  const tool = createTool('mcp', server, { name, description: '', inputSchema: {}, annotations })
  return { ...tool, id: offerId(server, name) }
}
