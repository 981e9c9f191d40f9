import type { SourceKind } from '../../../catalog/tool-id.ts'

/** The tools of a gateway, as far as they are known. */
export interface KnownTools {
  readonly tools: readonly { readonly id: string; readonly name: string }[]
  /** `mcp:files` for each source that is still connecting. */
  readonly pending: readonly string[]
  /** Each that does not work: it may stay so, and what is wrong with a list must not wait for it. */
  readonly down: readonly string[]
}

interface SourceStanding {
  readonly source: string
  readonly owner: string
  readonly kind: string
}

/** The sources whose tools are not all known. */
export function unknownSources(sources: readonly SourceStanding[]): Pick<KnownTools, 'pending' | 'down'> {
  const named = (wanted: string): readonly string[] =>
    sources.flatMap(({ source, owner, kind }) => (kind === wanted ? [`${source}:${owner}`] : []))
  return { pending: named('connecting'), down: named('down') }
}

/** Source and owner out of a tool's id. */
export function ownerOf(id: string): { readonly source: SourceKind; readonly owner: string } {
  const [source = '', owner = ''] = id.split(':')
  const kind = source === 'mcp' || source === 'client' ? source : 'plugin'
  return { source: kind, owner: owner.replaceAll('%3A', ':').replaceAll('%25', '%') }
}
