import type { Mode } from '../../../bridge/presentation/presentation.ts'
import type { Tool } from '../../../catalog/tool.ts'
import type { View } from '../../../catalog/view.ts'

export interface ViewWatch {
  /** From now on a change of what this agent is shown is told. */
  add(agent: string): void
  /** Something may have changed; looked at a little later, once for all that comes until then. */
  look(): void
  close(): void
}

export interface ViewWatchDeps {
  readonly viewOf: (agent: string) => View
  /** By which its tools are shown: another one is another list, of the same tools. */
  readonly modeOf: (agent: string) => Mode
  readonly quietMs: number
  readonly onChanged: (agent: string) => void
}

interface Shown {
  readonly view: View
  readonly mode: Mode
}

/** Finds who is shown something else now: not everybody sees every tool that comes or goes. */
export function createViewWatch(deps: ViewWatchDeps): ViewWatch {
  const seen = new Map<string, Shown>()
  const shownTo = (agent: string): Shown => ({ view: deps.viewOf(agent), mode: deps.modeOf(agent) })
  let timer: NodeJS.Timeout | undefined
  const compare = (): void => {
    timer = undefined
    for (const [agent, before] of seen) {
      const now = shownTo(agent)
      seen.set(agent, now)
      if (!isAlike(before, now)) deps.onChanged(agent)
    }
  }
  return {
    add(agent) {
      if (!seen.has(agent)) seen.set(agent, shownTo(agent))
    },
    look() {
      // Not put off by what comes meanwhile: a server that never rests would silence all others.
      timer ??= setTimeout(compare, deps.quietMs)
    },
    close() {
      clearTimeout(timer)
      seen.clear()
    },
  }
}

function isAlike(before: Shown, now: Shown): boolean {
  return before.mode === now.mode && (before.view === now.view || areAlike(before.view.tools, now.view.tools))
}

/** Whether a client would be shown the same: sources make new objects of tools that did not change. */
function areAlike(before: readonly Tool[], now: readonly Tool[]): boolean {
  if (before.length !== now.length) return false
  return before.every((tool, index) => {
    const other = now[index]
    if (tool === other) return true
    return (
      other !== undefined &&
      tool.id === other.id &&
      tool.schemaHash === other.schemaHash &&
      tool.description === other.description &&
      tool.title === other.title &&
      HINTS.every((hint) => tool.annotations[hint] === other.annotations[hint])
    )
  })
}

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const
