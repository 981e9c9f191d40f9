import type { JsonObject } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { McpCallError } from '../../../catalog/sources/mcp/errors.ts'
import type { McpSource } from '../../../catalog/sources/mcp/mcp-source.ts'
import type { OfferKind } from '../../../catalog/sources/mcp/trust/offers/offer.ts'
import type { OfferGate } from '../../../catalog/sources/mcp/trust/offers/offer-gate.ts'
import { LIST_ITEMS_MAX, LOOK_WAIT_MS } from './limits.ts'
import type { ListedMethod } from './list-pages.ts'
import { listPages } from './list-pages.ts'

/** What is asked for by name beside tools. */
export type OfferGroup = 'resources' | 'prompts'

export interface FirstLookDeps {
  readonly mcp: Pick<McpSource, 'request' | 'status'>
  readonly offers: Pick<OfferGate, 'screened' | 'isEnforced'>
}

/**
 * Rejects where it cannot be known what the server offers.
 * @throws {ToolUnavailable} where the server is not there
 * @throws {McpCallError} where its list did not come
 */
export type FirstLook = (server: string, group: OfferGroup, signal: AbortSignal) => Promise<void>

/**
 * What is kept back by screening is known from lists, and after a start nothing has been listed: a client that knows a name
 * from before would get what a person has yet to look at. So, where screening is enforced, what a server has of the kind is
 * listed and screened before the first of it is given, once for each of its sessions.
 */
export function createFirstLook({ mcp, offers }: FirstLookDeps): FirstLook {
  const looks = new Map<string, { readonly sinceMs: number; readonly done: Promise<void> }>()

  async function look(server: string, group: OfferGroup): Promise<void> {
    for (const { method, key, kind } of LISTS[group]) {
      const items = await listOf(server, { method, key })
      const isPage = items.length >= LIST_ITEMS_MAX
      await offers.screened(server, { kind, items, isPage })
    }
  }

  /** For all who wait at the same time, whoever of them leaves. */
  async function listOf(server: string, list: Pick<Listed, 'method' | 'key'>): Promise<readonly JsonObject[]> {
    const signal = AbortSignal.timeout(LOOK_WAIT_MS)
    try {
      const items = await listPages(server, { ...list, waitMs: LOOK_WAIT_MS }, { mcp, signal })
      return items.filter((item) => isJsonObject(item))
    } catch (error) {
      // It has read and no list: then nothing of it can have been kept back.
      if (error instanceof McpCallError && error.code === 'protocol-error') return []
      throw error
    }
  }

  return async (server, group, signal) => {
    if (!offers.isEnforced()) return
    const state = mcp.status().find((status) => status.server === server)?.state
    // A name that a client made up: nothing is kept of it.
    if (state === undefined) return
    const key = `${group} ${server}`
    const known = looks.get(key)
    const isCurrent = known !== undefined && known.sinceMs === state.sinceMs
    const done = isCurrent ? known.done : look(server, group)
    if (!isCurrent) {
      looks.set(key, { sinceMs: state.sinceMs, done })
      // Tried again by whoever asks next.
      done.catch(() => looks.get(key)?.done === done && looks.delete(key))
    }
    await Promise.race([done, left(signal)])
  }
}

interface Listed {
  readonly method: ListedMethod
  readonly key: 'resources' | 'resourceTemplates' | 'prompts'
  readonly kind: OfferKind
}

const LISTS: Readonly<Record<OfferGroup, readonly Listed[]>> = {
  resources: [
    { method: 'resources/list', key: 'resources', kind: 'resources' },
    { method: 'resources/templates/list', key: 'resourceTemplates', kind: 'templates' },
  ],
  prompts: [{ method: 'prompts/list', key: 'prompts', kind: 'prompts' }],
}

function left(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
