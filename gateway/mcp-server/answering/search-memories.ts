import type { QueryMemory } from '../../../bridge/surface/query-memory.ts'
import { createQueryMemory } from '../../../bridge/surface/query-memory.ts'
import type { Authenticated } from '../../auth/authenticate.ts'
import { SEARCH_MEMORIES_MAX } from '../limits.ts'

/**
 * What each client has searched for lately. Here a search and the call that it led to are two requests, and neither says
 * which turn it belongs to.
 */
export interface SearchMemories {
  of(authenticated: Authenticated): QueryMemory
}

export function createSearchMemories(): SearchMemories {
  // In order of last use.
  const memories = new Map<string, QueryMemory>()
  return {
    of({ token, caller: { tenant, agent, channel, sender, session } }) {
      const key = JSON.stringify([token.id, tenant, agent, channel, sender, session])
      const memory = memories.get(key) ?? createQueryMemory()
      memories.delete(key)
      memories.set(key, memory)
      const [oldest] = memories.keys()
      if (memories.size > SEARCH_MEMORIES_MAX && oldest !== undefined) memories.delete(oldest)
      return memory
    },
  }
}
