import type { ToolDefinition } from '../../../tool.ts'
import type { HeldTool } from './held-tool.ts'
import { heldReason } from './held-tool.ts'
import type { ToolStanding } from './judge-tool.ts'
import { judgeTool } from './judge-tool.ts'
import { pinName } from './pins/pin-name.ts'
import { pinnedContent } from './pins/pinned-content.ts'
import type { ToolPin, ToolPins } from './pins/tool-pins.ts'
import type { HashedTool } from './screening-desk.ts'
import type { ScreeningFinding } from './screening-finding.ts'

/** What a list of one server is judged by. */
export interface ListStanding {
  readonly standing: Pick<ToolStanding, 'server' | 'trust' | 'screening'>
  readonly pins: Pick<ToolPins, 'count' | 'mark'>
  readonly nowMs: number
  /** Undefined until the tool is screened. */
  readonly found: (tool: HashedTool) => readonly ScreeningFinding[] | undefined
}

export interface JudgedList {
  /** As the catalog is told of them: those that wait for a person, or for their screening, are withheld. */
  readonly told: readonly ToolDefinition[]
  /** By name. */
  readonly held: ReadonlyMap<string, HeldTool>
  /** To be kept. */
  readonly fresh: readonly ToolPin[]
}

/** Judges the tools of a server in their order: each that is pinned leaves less room for those after it. */
export function judgeList(tools: readonly HashedTool[], given: ListStanding): JudgedList {
  const { standing, pins, nowMs, found } = given
  const { server } = standing
  const held = new Map<string, HeldTool>()
  const fresh: ToolPin[] = []
  const told = tools.map((tool): ToolDefinition => {
    const { definition } = tool
    // Its source cannot read it: there is nothing to be pinned, and a pin from when it could be read stays.
    if (definition.withheld !== undefined) return definition
    const verdict = judgeTool(tool, {
      ...standing,
      pinned: pins.count(server) + fresh.length,
      mark: pins.mark(server, pinName(definition.name)),
      found: found(tool),
    })
    if (verdict.kind === 'pin') fresh.push(pinOf(tool, { server, nowMs, acceptedBy: verdict.acceptedBy }))
    if (verdict.kind === 'waiting') return { ...definition, withheld: BEING_SCREENED }
    if (verdict.kind !== 'held') return definition
    held.set(verdict.held.tool, verdict.held)
    return { ...definition, withheld: { reason: heldReason(verdict.held), awaits: 'accept' } }
  })
  return { told, held, fresh }
}

function pinOf(
  { hash, definition }: HashedTool,
  given: { readonly server: string; readonly nowMs: number; readonly acceptedBy: string | undefined },
): ToolPin {
  const { server, nowMs, acceptedBy } = given
  return {
    server,
    tool: pinName(definition.name),
    hash,
    content: pinnedContent(definition),
    pinnedMs: nowMs,
    ...(acceptedBy !== undefined && { acceptedBy }),
  }
}

const BEING_SCREENED = {
  reason: 'its description is still being screened; it is let through by itself when nothing is found',
}
