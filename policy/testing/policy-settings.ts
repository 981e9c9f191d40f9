import type { AgentScope, ListScope, PolicySettings, ToolScope } from '../settings.ts'

export const NO_LISTS: ListScope = { allow: [], deny: [] }
const NO_SCOPE: ToolScope = { ...NO_LISTS, alsoAllow: [] }

/** A scope of the configuration with its defaults. */
export function aScope(parts: Partial<AgentScope> = {}): AgentScope {
  return { ...NO_SCOPE, byProvider: {}, ...parts }
}

/** Settings as the configuration fills them in. */
export function policySettings(
  tools: Partial<PolicySettings['tools']> = {},
  agents: Readonly<Record<string, Partial<AgentScope>>> = {},
): PolicySettings {
  const filled = Object.entries({ default: {}, ...agents }).map(([name, scope]) => [name, { tools: aScope(scope) }])
  return {
    tools: {
      ...aScope(),
      profiles: {},
      groups: {},
      byChannel: {},
      toolsBySender: {},
      sandbox: NO_LISTS,
      childAgents: NO_LISTS,
      mainAgentOnly: [],
      rules: [],
      approvals: 'off',
      ...tools,
    },
    agents: Object.fromEntries(filled),
  }
}
