import type { Logger } from 'pino'
import type { LiveSettings } from '../live-settings.ts'
import type { FirstLook } from '../mcp-server/offering/first-look.ts'
import { createOfferExtension } from '../mcp-server/offering/offer-extension.ts'
import { createServerOffers } from '../mcp-server/offering/server-offers.ts'
import { createGate } from '../mcp-server/passthrough/judging/gate.ts'
import type { McpExtension } from '../mcp-server/serving/create-agent-server.ts'
import type { ViewCache } from '../views/view-cache.ts'
import type { Sources } from './build-sources.ts'

export interface OffersParts {
  readonly sources: Pick<Sources, 'mcp' | 'trust'>
  readonly firstLook: FirstLook
  readonly views: ViewCache
  readonly settings: LiveSettings
  readonly log: Logger
}

/** Resources and prompts of the servers behind, at `/mcp`. */
export function buildOffers({ sources, firstLook, views, settings, log }: OffersParts): McpExtension {
  const gateDeps = {
    viewFor: (caller: Parameters<ViewCache['viewFor']>[0]) => views.viewFor(caller),
    decide: (...about: Parameters<ViewCache['decide']>) => views.decide(...about),
    offers: sources.trust.offers,
    firstLook,
  }
  const offers = createServerOffers({
    mcp: sources.mcp,
    gateFor: (server, caller) => createGate(server, caller, gateDeps),
    warn: (server, error) => log.warn({ err: error, mcp: server }, 'left out of a list'),
  })
  return createOfferExtension({ offers, kinds: () => settings.current().config.mcp.passthrough })
}
