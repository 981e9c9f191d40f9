import type { Caller } from '../../catalog/caller.ts'
import { describeTool } from '../../catalog/description.ts'
import type { JsonValue } from '../../catalog/json.ts'
import { DESCRIPTION_MAX_BYTES } from '../../catalog/limits.ts'
import type { SchemaPlace } from '../../catalog/schema-part.ts'
import { readSchemaPart } from '../../catalog/schema-part.ts'
import type { ViewSearch } from '../../catalog/search-view.ts'
import { searchView } from '../../catalog/search-view.ts'
import { unavailableIn } from '../../catalog/server-absence.ts'
import type { SearchIndex } from '../../catalog/search/search-index.ts'
import type { Tool } from '../../catalog/tool.ts'
import type { Resolution, View } from '../../catalog/view.ts'
import type { ApprovalNeed } from '../../policy/rules/approval-need.ts'
import type { DescribedApproval } from './described-approval.ts'
import { describedApproval } from './described-approval.ts'
import type { QueryMemory } from './query-memory.ts'
import { ambiguousTool, unknownTool } from '../refusals.ts'

export interface ViewReaderDeps {
  readonly index: Pick<SearchIndex, 'search'>
  /** TypeScript of a tool's call, in a hit. */
  readonly hitSignature: (tool: Tool) => string
  /** TypeScript of what a call gives, in a hit. */
  readonly hitOutput: (tool: Tool) => string | undefined
  /** The same, whole, in a description; within so many UTF-16 units where they are given. */
  readonly fullSignature: (tool: Tool, maxChars?: number) => string
  /** Whether calls of a tool wait for an approval. */
  readonly approvalNeed: (tool: Tool, caller: Caller) => ApprovalNeed
  /** Whether calls that went well lift their tools in later searches of the same tenant. */
  readonly learns: boolean
}

export interface ReadView {
  readonly view: View
  readonly caller: Caller
  /** Is told what was found and shown: arguments are written by what was shown last. */
  readonly memory: QueryMemory
}

export type SurfaceAnswer =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'error'; readonly code: string; readonly message: string; readonly details?: JsonValue }

/** Searches and describes in one caller's view, and remembers what it showed. */
export interface ViewReader {
  search(search: ViewSearch): SurfaceAnswer
  describe(id: JsonValue, place: SchemaPlace | undefined): SurfaceAnswer
}

export function createViewReader(deps: ViewReaderDeps, { view, caller, memory }: ReadView): ViewReader {
  const approvalOf = (tool: Tool): DescribedApproval | undefined => describedApproval(deps.approvalNeed(tool, caller))
  const show = (resolution: Resolution): void => {
    if (resolution.kind === 'found') memory.show(resolution.tool)
  }
  return {
    search(search) {
      const { index, hitSignature: signature, hitOutput: output, learns } = deps
      const tenant = learns ? { tenant: caller.tenant } : {}
      const result = searchView(view, search, { index, signature, output, ...tenant })
      if (result.kind === 'bad-cursor') return invalid(result.message)
      const { hits, notes, cursor } = result.answer
      const ids = hits.map((hit) => hit.id)
      memory.remember(search.query, ids)
      const shown = hits.map((hit) => {
        const resolution = view.resolve(hit.id)
        show(resolution)
        // Only that a call has to wait, so that a model can plan for it; describe says why.
        const approval = resolution.kind === 'found' ? approvalOf(resolution.tool) : undefined
        return { ...hit, ...(approval && { approval: approval.needed }) }
      })
      return { kind: 'value', value: { hits: shown, notes, ...(cursor !== undefined && { cursor }) } }
    },
    describe(id, place) {
      if (typeof id !== 'string') return invalid('describe wants the exact id of a search hit, as text')
      const resolution = view.resolve(id)
      show(resolution)
      if (resolution.kind !== 'found') return notFound(id, resolution)
      const { tool } = resolution
      if (place !== undefined) {
        const result = readSchemaPart(tool, place, DESCRIPTION_MAX_BYTES)
        return result.kind === 'part' ? { kind: 'value', value: result.part } : invalid(result.message)
      }
      const approval = approvalOf(tool)
      const unavailable = unavailableIn(view)(tool)
      const description = describeTool(tool, { signature: deps.fullSignature })
      const value = { ...description, ...(unavailable && { unavailable }), ...(approval && { approval }) }
      return { kind: 'value', value }
    },
  }
}

export function invalid(message: string): SurfaceAnswer {
  return { kind: 'error', code: 'invalid-input', message }
}

function notFound(id: string, resolution: Exclude<Resolution, { kind: 'found' }>): SurfaceAnswer {
  const shown = id.slice(0, 256)
  const outcome =
    resolution.kind === 'ambiguous' ? ambiguousTool(shown, resolution.ids) : unknownTool(shown, resolution.suggestions)
  return outcome.kind === 'ok' ? invalid(shown) : { kind: 'error', code: outcome.kind, message: outcome.message }
}
