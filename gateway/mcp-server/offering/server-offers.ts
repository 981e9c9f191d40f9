import type { Caller } from '../../../catalog/caller.ts'
import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { SessionMethod } from '../../../catalog/sources/mcp/connection/session/session-requests.ts'
import type { McpSource } from '../../../catalog/sources/mcp/mcp-source.ts'
import type { OfferKind } from '../../../catalog/sources/mcp/trust/offers/offer.ts'
import { mapBounded } from '../../turn/steps/map-bounded.ts'
import type { Gate } from '../passthrough/judging/gate.ts'
import type { OfferGroup } from './first-look.ts'
import { LIST_ITEMS_MAX, LIST_WAIT_MS, READ_WAIT_MS, SERVERS_AT_ONCE } from './limits.ts'
import type { ListedMethod } from './list-pages.ts'
import { listPages } from './list-pages.ts'
import type { Offered } from './offered-names.ts'
import { offeredUri } from './offered-names.ts'

/** Resources and prompts of all servers, under one caller's policy. */
export interface ServerOffers {
  /** In the order of the configuration. What a server does not list in time, or lists wrongly, is left out. */
  list(kind: ListedKind, caller: Caller, signal: AbortSignal): Promise<readonly JsonObject[]>
  /** Undefined where the caller may not see it or the server has nothing of the kind. Rejects as `FirstLook` does. */
  ask(asked: AskedOffer, caller: Caller, signal: AbortSignal): Promise<JsonObject | undefined>
}

export interface ListedKind {
  readonly method: ListedMethod
  readonly key: 'resources' | 'resourceTemplates' | 'prompts'
  readonly kind: OfferKind
  /** How the server itself calls one; undefined for what is none. */
  readonly nameOf: (item: JsonObject) => string | undefined
  readonly isOpen: (gate: Gate, name: string) => boolean
  /** The item under the name that clients get. */
  readonly rename: (item: JsonObject, of: Offered) => JsonObject
}

export interface AskedOffer {
  readonly of: Offered
  readonly group: OfferGroup
  readonly method: SessionMethod
  readonly params: JsonObject
  readonly isOpen: (gate: Gate) => boolean
}

export interface ServerOffersDeps {
  readonly mcp: Pick<McpSource, 'request' | 'status'>
  readonly gateFor: (server: string, caller: Caller) => Gate
  readonly warn: (server: string, error: unknown) => void
}

export function createServerOffers(deps: ServerOffersDeps): ServerOffers {
  return {
    async list(kind, caller, signal) {
      const servers = deps.mcp.status().filter(({ state }) => state.kind === 'ready')
      const lists = await mapBounded(servers, SERVERS_AT_ONCE, ({ server }) =>
        listOne({ server, kind, caller }, deps, signal),
      )
      return lists.flat()
    },
    async ask({ of, group, method, params, isOpen }, caller, signal) {
      const gate = deps.gateFor(of.server, caller)
      await gate.lookedAt(group, signal)
      if (!isOpen(gate)) return undefined
      const result = await deps.mcp.request(of.server, { method, params, waitMs: READ_WAIT_MS, caller }, signal)
      return result === undefined ? undefined : withOwnUris(result, of.server)
    },
  }
}

interface ListedServer {
  readonly server: string
  readonly kind: ListedKind
  readonly caller: Caller
}

/** One bad server costs its own part of the list. */
async function listOne({ server, kind, caller }: ListedServer, deps: ServerOffersDeps, signal: AbortSignal) {
  const gate = deps.gateFor(server, caller)
  if (!gate.isOpen) return []
  try {
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(LIST_WAIT_MS)])
    const items = await listPages(server, { ...kind, waitMs: LIST_WAIT_MS }, { mcp: deps.mcp, signal: inTime })
    const open = items.filter((item) => isJsonObject(item)).filter((item) => isOpenTo(gate, item, kind))
    const shown = await gate.screened({ kind: kind.kind, items: open, isPage: items.length >= LIST_ITEMS_MAX })
    return shown.map((item) => kind.rename(item, { server, name: kind.nameOf(item) ?? '' }))
  } catch (error) {
    signal.throwIfAborted()
    deps.warn(server, error)
    return []
  }
}

function isOpenTo(gate: Gate, item: JsonObject, { nameOf, isOpen }: ListedKind): boolean {
  const name = nameOf(item)
  return name !== undefined && isOpen(gate, name)
}

/** Addresses in what a server answers are to be read here, where they have other names. */
function withOwnUris(result: JsonObject, server: string): JsonObject {
  const { contents, messages } = result
  return {
    ...result,
    ...(Array.isArray(contents) && { contents: contents.map((part: JsonValue) => renamed(part, server)) }),
    ...(Array.isArray(messages) && { messages: messages.map((message: JsonValue) => renamedMessage(message, server)) }),
  }
}

function renamedMessage(message: JsonValue, server: string): JsonValue {
  if (!isJsonObject(message) || !isJsonObject(message['content'])) return message
  const { content } = message
  const { type, resource } = content
  if (type === 'resource_link') return { ...message, content: renamed(content, server) }
  if (type !== 'resource' || resource === undefined) return message
  return { ...message, content: { ...content, resource: renamed(resource, server) } }
}

function renamed(part: JsonValue, server: string): JsonValue {
  if (!isJsonObject(part)) return part
  const { uri } = part
  return typeof uri === 'string' ? { ...part, uri: offeredUri({ server, name: uri }) } : part
}
