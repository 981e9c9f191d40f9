import { toolId } from '../../../tool-id.ts'
import type { HeldTool } from './held-tool.ts'
import { PINS_PER_SERVER_MAX } from './limits.ts'
import { pinName } from './pins/pin-name.ts'
import { formerHash, pinnedContent } from './pins/pinned-content.ts'
import type { PinMark } from './pins/tool-pins.ts'
import type { HashedTool } from './screening-desk.ts'
import type { ScreeningFinding } from './screening-finding.ts'
import type { TrustRules } from './trust-rules.ts'

/** What is to become of a tool. `waiting` is for its screening, `pin` lets it through and pins what it shows. */
export type Judgement =
  | { readonly kind: 'fine' | 'waiting' }
  | { readonly kind: 'pin'; readonly acceptedBy: string | undefined }
  | { readonly kind: 'held'; readonly held: HeldTool }

/** What is known of a tool when it is judged. */
export interface ToolStanding {
  readonly server: string
  readonly trust: ReturnType<TrustRules['trustOf']>
  readonly screening: TrustRules['screening']
  /** Pins that its server has. */
  readonly pinned: number
  readonly mark: PinMark | undefined
  /** Undefined until it is screened. */
  readonly found: readonly ScreeningFinding[] | undefined
}

/** By its pin first: what has changed is held whatever was found in it. */
export function judgeTool(tool: HashedTool, standing: ToolStanding): Judgement {
  const { trust, screening, pinned, found } = standing
  const { hash } = tool
  const mark = standingMark(tool, standing.mark)
  const isAccepted = mark?.acceptedBy !== undefined && mark.hash === hash
  if (trust === 'pin') {
    if (mark !== undefined && mark.hash !== hash) return hold(tool, standing, 'changed')
    if (mark === undefined && pinned >= PINS_PER_SERVER_MAX) return hold(tool, standing, 'too-many')
  }
  if (screening === 'enforce' && !isAccepted) {
    if (found === undefined) return { kind: 'waiting' }
    if (found.length > 0) return hold(tool, standing, 'screening')
  }
  if (mark?.isFormer) return { kind: 'pin', acceptedBy: mark.acceptedBy }
  const isNew = mark === undefined || mark.hash !== hash
  return isNew && pinned < PINS_PER_SERVER_MAX ? { kind: 'pin', acceptedBy: undefined } : { kind: 'fine' }
}

/** One that was made when less was pinned holds for all that is there now, and is made anew. */
function standingMark({ hash, definition }: HashedTool, mark: PinMark | undefined) {
  if (mark === undefined) return undefined
  const isFormer = mark.hash !== hash && mark.hash === formerHash(definition)
  return { ...mark, ...(isFormer && { hash }), isFormer }
}

function hold(
  { hash, definition }: HashedTool,
  { server, found = [] }: ToolStanding,
  cause: HeldTool['cause'],
): Judgement {
  const id = toolId('mcp', server, definition.name)
  const tool = pinName(definition.name)
  return { kind: 'held', held: { server, tool, id, hash, cause, content: pinnedContent(definition), findings: found } }
}
