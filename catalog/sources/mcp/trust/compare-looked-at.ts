import type { HeldTool } from './held-tool.ts'
import type { ToolPin } from './pins/tool-pins.ts'

/** What a person saw and lets through. */
export interface LookedAt {
  readonly tool: string
  readonly hash: string
}

export interface Acceptance {
  readonly accepted: readonly string[]
  /** Changed again since it was looked at. */
  readonly stale: readonly string[]
  /** Nothing of that name waits. */
  readonly missing: readonly string[]
}

/** Which of the tools that wait are still what a person looked at, and what is to be said of each that was looked at. */
export function compareLookedAt(
  tools: readonly LookedAt[],
  waiting: readonly HeldTool[],
): { readonly fresh: readonly HeldTool[]; readonly acceptance: Acceptance } {
  const held = Map.groupBy(waiting, ({ tool }) => tool)
  const looked = tools.map(({ tool, hash }) => {
    // A server may show two of one name.
    const [first, ...others] = held.get(tool) ?? []
    return { tool, hash, found: others.find((each) => each.hash === hash) ?? first }
  })
  const fresh = looked.flatMap(({ found, hash }) => (found !== undefined && hash === found.hash ? [found] : []))
  const accepted = fresh.map(({ tool }) => tool)
  const stale = looked.flatMap(({ tool, found }) => (found && !accepted.includes(tool) ? [tool] : []))
  const missing = looked.flatMap(({ tool, found }) => (found === undefined ? [tool] : []))
  return { fresh, acceptance: { accepted, stale, missing } }
}

/** What is kept of a decision. */
export function acceptedPins(
  fresh: readonly HeldTool[],
  decision: Pick<ToolPin, 'acceptedBy' | 'pinnedMs'>,
): readonly ToolPin[] {
  return fresh.map(({ server, tool, hash, content }) => ({ server, tool, hash, content, ...decision }))
}
