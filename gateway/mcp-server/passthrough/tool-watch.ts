import type { Caller } from '../../../catalog/caller.ts'
import type { Tool } from '../../../catalog/tool.ts'
import type { View } from '../../../catalog/view.ts'
import { areAlike } from '../serving/view-watch.ts'

/** To whom tools of which server are shown. */
export interface Shown {
  readonly server: string
  readonly caller: Caller
}

export interface ToolWatch {
  /** From now on, whenever this caller is shown other tools of this server; what is returned ends it. */
  hear(shown: Shown, listener: () => void): () => void
  /** Something may have changed; looked at a little later, once for all that comes until then. */
  look(): void
  close(): void
}

export interface ToolWatchDeps {
  readonly viewFor: (caller: Caller) => View
  readonly quietMs: number
}

interface Heard {
  readonly toolsNow: () => readonly Tool[]
  readonly tools: readonly Tool[]
}

/** Finds which clients of servers passed through are shown other tools now. */
export function createToolWatch({ viewFor, quietMs }: ToolWatchDeps): ToolWatch {
  const heard = new Map<() => void, Heard>()
  let timer: NodeJS.Timeout | undefined
  const compare = (): void => {
    timer = undefined
    for (const [listener, { toolsNow, tools: before }] of heard) {
      const tools = toolsNow()
      heard.set(listener, { toolsNow, tools })
      if (!areAlike(before, tools)) listener()
    }
  }
  return {
    hear({ server, caller }, listener) {
      const toolsNow = (): readonly Tool[] =>
        viewFor(caller).tools.filter(({ source, owner }) => source === 'mcp' && owner === server)
      // One of its own for each, whoever listens twice.
      const own = (): void => listener()
      heard.set(own, { toolsNow, tools: toolsNow() })
      return () => void heard.delete(own)
    },
    look() {
      if (heard.size === 0) return
      timer ??= setTimeout(compare, quietMs)
    },
    close() {
      clearTimeout(timer)
      heard.clear()
    },
  }
}
