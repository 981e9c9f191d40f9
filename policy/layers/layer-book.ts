import type { PolicyLayer } from '../layer.ts'
import type { PolicyCaller } from '../policy-caller.ts'
import type { PolicySettings } from '../settings.ts'
import { createChannelBook } from './channel-book.ts'
import { listLayer } from './make-layer.ts'
import type { ScopeBook } from './scope-book.ts'
import { createScopeBook } from './scope-book.ts'
import { createSenderBook } from './sender-book.ts'

export interface LayerBook {
  /** The layers of a caller, in the order in which they are asked; those of the configuration are always the same objects. */
  layersOf(caller: PolicyCaller): readonly PolicyLayer[]
}

/** Every layer of the settings, made once and found by what a caller is. */
export function createLayerBook(settings: PolicySettings): LayerBook {
  const { tools } = settings
  const { profiles } = tools
  const global = createScopeBook(tools, { path: ['tools'], kinds: GLOBAL_KINDS, profiles })
  const agents = agentBooks(settings)
  const channels = createChannelBook(tools.byChannel)
  const senders = createSenderBook(tools.toolsBySender)
  const sandbox = listLayer('sandbox', ['tools', 'sandbox'], tools.sandbox)
  const child = childLayers(tools)
  return {
    layersOf(caller) {
      const layers = [
        ...global.layersOf(caller),
        ...(agents.get(caller.agent)?.layersOf(caller) ?? [unknownAgent(caller.agent)]),
        ...channels.layersOf(caller),
        ...senders.layersOf(caller),
        ...(caller.origin === 'program' ? [sandbox] : []),
        ...(caller.parentAgent === undefined ? [] : child),
        ...(caller.toolsAllow ?? []).map(sessionLayer),
      ]
      return layers.filter(saysSomething)
    },
  }
}

const GLOBAL_KINDS = {
  profile: 'profile',
  providerProfile: 'provider-profile',
  lists: 'global',
  providerLists: 'provider',
} as const

const AGENT_KINDS = {
  profile: 'agent',
  providerProfile: 'agent-provider',
  lists: 'agent',
  providerLists: 'agent-provider',
} as const

function agentBooks({ agents, tools }: PolicySettings): ReadonlyMap<string, ScopeBook> {
  const { profiles } = tools
  return new Map(
    Object.entries(agents).map(([name, agent]) => {
      const path = ['agents', name, 'tools']
      return [name, createScopeBook(agent.tools, { path, kinds: AGENT_KINDS, profiles })]
    }),
  )
}

function childLayers({ childAgents, mainAgentOnly }: PolicySettings['tools']): readonly PolicyLayer[] {
  const path = ['tools', 'mainAgentOnly']
  return [
    listLayer('child-agent', ['tools', 'childAgents'], childAgents),
    { kind: 'child-agent', path, deny: { path, entries: mainAgentOnly } },
  ]
}

/** The agent was taken out of the configuration while something of it still runs: its own lists went with it. */
function unknownAgent(name: string): PolicyLayer {
  const path = ['agents', name]
  return { kind: 'agent', path, deny: { path, entries: ['*'] }, isSent: true }
}

function sessionLayer(entries: readonly string[]): PolicyLayer {
  const path = ['toolsAllow']
  // A list that names nothing allows nothing: who narrows to no tools is not given all of them.
  if (entries.length === 0) return { kind: 'session', path, deny: { path, entries: ['*'] }, isSent: true }
  return { kind: 'session', path, allow: { path, entries }, isSent: true }
}

function saysSomething({ allow, deny, annotations }: PolicyLayer): boolean {
  return annotations !== undefined || [allow, deny].some((list) => (list?.entries.length ?? 0) > 0)
}
