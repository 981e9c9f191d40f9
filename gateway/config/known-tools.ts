import type { SourceKind } from '../../catalog/tool-id.ts'

/** The tools of a gateway, as far as they are known. */
export interface KnownTools {
  readonly tools: readonly { readonly id: string; readonly name: string }[]
  /** `mcp:files` for each source whose tools are not known yet. */
  readonly pending: readonly string[]
}

/** Source and owner out of a tool's id. */
export function ownerOf(id: string): { readonly source: SourceKind; readonly owner: string } {
  const [source = '', owner = ''] = id.split(':')
  const kind = source === 'mcp' || source === 'client' ? source : 'plugin'
  return { source: kind, owner: owner.replaceAll('%3A', ':').replaceAll('%25', '%') }
}
