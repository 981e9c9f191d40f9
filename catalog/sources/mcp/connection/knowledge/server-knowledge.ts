import { isDeepStrictEqual } from 'node:util'
import type { McpServerConfig } from '../../server-config.ts'
import type { ToolList } from '../../tools/list-tools.ts'
import type { ServerMemory, ServerRecord, VersionVerdict } from './server-memory.ts'
import { serverIdentity } from './server-memory.ts'

/** What is known of one server, now and from its last connection. */
export interface ServerKnowledge {
  /** As it was last listed. */
  readonly tools: ToolList
  /** How it is to be greeted; undefined where that is to be found out. */
  readonly verdict: VersionVerdict | undefined
  judge(verdict: VersionVerdict | undefined): void
  /** Publishes what was known before, if anything was. */
  recall(): void
  /** A list as the server gave it just now; gives whether it is another one. */
  take(list: ToolList): boolean
}

export interface ServerKnowledgeDeps {
  readonly server: string
  readonly config: McpServerConfig
  readonly memory: ServerMemory
  readonly publish: (list: ToolList) => void
}

const NO_TOOLS: ToolList = { definitions: [], hiddenCount: 0, problems: [], problemCount: 0 }

export function createServerKnowledge({ server, config, memory, publish }: ServerKnowledgeDeps): ServerKnowledge {
  const identity = serverIdentity(config)
  let tools = NO_TOOLS

  function record(): ServerRecord {
    const known = memory.read(server)
    return known?.identity === identity ? known : { identity }
  }

  function show(list: ToolList): void {
    tools = list
    publish(list)
  }

  return {
    get tools() {
      return tools
    },
    get verdict() {
      return record().verdict
    },
    judge(verdict) {
      const { verdict: _before, ...rest } = record()
      memory.write(server, { ...rest, ...(verdict && { verdict }) })
    },
    recall() {
      const { list } = record()
      if (list !== undefined) show(list)
    },
    take(list) {
      const hasChanged = !isDeepStrictEqual(list, tools)
      if (hasChanged) show(list)
      const known = record()
      if (!isDeepStrictEqual(list, known.list)) memory.write(server, { ...known, list })
      return hasChanged
    },
  }
}
