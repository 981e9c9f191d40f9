import type { Tool } from '../../../catalog/tool.ts'
import { policySettings } from '../../../policy/testing/policy-settings.ts'
import type { PolicySettings } from '../../../policy/settings.ts'

export const ENTRY_KINDS = ['exact', 'prefix', 'suffix', 'infix', 'rules', 'mixed'] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

/** A policy of so many entries, of which most deny nothing: a long list is the worst that a decision can meet. */
export function policyOfEntries(kind: EntryKind, count: number, tools: readonly Tool[]): PolicySettings {
  const places = Array.from({ length: count }, (_, index) => index)
  if (kind === 'rules') {
    const when = { properties: { amount: { exclusiveMinimum: 1_000_000 } }, required: ['amount'] }
    const rules = places.map((index) => ({ tool: nameOf(tools, index), when, effect: 'ask' as const }))
    return policySettings({ rules })
  }
  if (kind !== 'mixed') return policySettings({ deny: places.map((index) => entryOf(kind, index, tools)) })
  const kinds = ['exact', 'prefix', 'suffix', 'infix'] as const
  const entries = places.map((index) => entryOf(kinds[index % kinds.length] ?? 'exact', index, tools))
  const half = Math.floor(count / 2)
  const groups = { some: entries.slice(0, Math.floor(half / 2)) }
  const deny = ['group:some', ...entries.slice(Math.floor(half / 2), half)]
  return policySettings({ groups, deny }, { default: { deny: entries.slice(half) } })
}

function entryOf(kind: 'exact' | 'prefix' | 'suffix' | 'infix', index: number, tools: readonly Tool[]): string {
  // Every tenth names a tool that there is.
  const isReal = index % 10 === 0
  const id = tools[index % tools.length]?.id ?? ''
  switch (kind) {
    case 'exact':
      return isReal ? id : `mcp:absent${index}:tool_${index}`
    case 'prefix':
      return isReal ? `${id.slice(0, -1)}*` : `mcp:absent${index}:*`
    case 'suffix':
      return isReal ? `*${id.slice(-9)}` : `*_absent_${index}`
    case 'infix':
      return isReal ? `mcp:*:${nameOf(tools, index).slice(0, -1)}*` : `*absent*thing_${index}*`
  }
}

function nameOf(tools: readonly Tool[], index: number): string {
  return tools[index % tools.length]?.name ?? ''
}
