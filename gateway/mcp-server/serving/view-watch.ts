import type { Mode } from '../../../bridge/presentation/presentation.ts'
import type { Tool } from '../../../catalog/tool.ts'
import type { View } from '../../../catalog/view.ts'

export interface ViewWatch {
  /** One of its clients asks: from now on a change of what this agent is shown is told. */
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
  // Who asked while a look is still to come: what it was shown then may be gone again, and nothing have changed.
  const between = new Map<string, Shown & { readonly isOther: boolean }>()
  let timer: NodeJS.Timeout | undefined
  const noteBetween = (agent: string, known: Shown): void => {
    const now = shownTo(agent)
    const last = between.get(agent)
    if (last?.isOther === true || (last?.view === now.view && last.mode === now.mode)) return
    between.set(agent, { ...now, isOther: !isAlike(known, now) })
  }
  const compare = (): void => {
    timer = undefined
    for (const [agent, before] of seen) {
      const now = shownTo(agent)
      seen.set(agent, now)
      if (between.get(agent)?.isOther === true || !isAlike(before, now)) deps.onChanged(agent)
    }
    between.clear()
  }
  return {
    add(agent) {
      const known = seen.get(agent)
      if (known === undefined) seen.set(agent, shownTo(agent))
      else if (timer !== undefined) noteBetween(agent, known)
    },
    look() {
      // Not put off by what comes meanwhile: a server that never rests would silence all others.
      timer ??= setTimeout(compare, deps.quietMs)
    },
    close() {
      clearTimeout(timer)
      seen.clear()
      between.clear()
    },
  }
}

function isAlike(before: Shown, now: Shown): boolean {
  return before.mode === now.mode && (before.view === now.view || areAlike(before.view.tools, now.view.tools))
}

/** Whether a client would be shown the same: sources make new objects of tools that did not change. */
export function areAlike(before: readonly Tool[], now: readonly Tool[]): boolean {
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
