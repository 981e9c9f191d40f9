import { HttpError } from '../../../http/http-error.ts'

const PREFIX = 'drawbridge'

/** The ids under which clients find the agents. */
export function agentTargets(agents: readonly string[]): readonly string[] {
  return [PREFIX, ...agents.map((agent) => `${PREFIX}/${agent}`)]
}

/**
 * The agent that a request's `model` names; plain `drawbridge` is the caller's own.
 * @throws {HttpError} 400 that names the agents that exist
 */
export function agentOf(model: string, own: string, agents: readonly string[]): string {
  const agent = model === PREFIX ? own : model.startsWith(`${PREFIX}/`) ? model.slice(PREFIX.length + 1) : undefined
  if (agent !== undefined && agents.includes(agent)) return agent
  throw new HttpError(
    'unknown_agent',
    `model "${model.slice(0, 200)}" names no agent here; use one of: ${agentTargets(agents).join(', ')}`,
    { param: 'model' },
  )
}
