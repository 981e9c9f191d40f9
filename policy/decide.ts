import type { Tool } from '../catalog/tool.ts'
import type { PolicyLayer } from './layer.ts'
import { compilePattern } from './pattern.ts'

/** Policy's answer for one tool, with the rule that decided. */
export type Verdict =
  | { readonly kind: 'allow' }
  /** `rule` is the entry that matched, or `allow` where a non-empty allow list has no entry for the tool. */
  | { readonly kind: 'deny'; readonly layer: string; readonly rule: string }
  /** A person or a grant decides. `rule` is its place in the configuration: `tools.rules[2]`, `tools.approvals`. */
  | { readonly kind: 'ask'; readonly rule: string; readonly reason?: string }

/** What a decision needs of a tool. */
export type ToolIdentity = Pick<Tool, 'id' | 'name'>

export type Decide = (tool: ToolIdentity) => Verdict

interface CompiledLayer {
  readonly name: string
  readonly allow: Matcher | undefined
  readonly deny: Matcher
}

/** The pattern that matches a tool, as it was written, or undefined. */
type Matcher = (tool: ToolIdentity) => string | undefined

const ALLOWED: Verdict = { kind: 'allow' }

/** Compiles layers once for the many tools of a catalog; the result is pure. */
export function compilePolicy(layers: readonly PolicyLayer[]): Decide {
  const compiled = layers.map(compileLayer)
  return (tool) => {
    for (const layer of compiled) {
      const denied = layer.deny(tool)
      if (denied !== undefined) return { kind: 'deny', layer: layer.name, rule: denied }
      if (layer.allow !== undefined && layer.allow(tool) === undefined) {
        return { kind: 'deny', layer: layer.name, rule: 'allow' }
      }
    }
    return ALLOWED
  }
}

function compileLayer(layer: PolicyLayer): CompiledLayer {
  const allow = layer.allow ?? []
  return {
    name: layer.name,
    allow: allow.length === 0 ? undefined : compileMatcher(allow),
    deny: compileMatcher(layer.deny ?? []),
  }
}

/** Exact entries are looked up, so that a policy of thousands of ids costs a tool two look-ups, not thousands. */
function compileMatcher(patterns: readonly string[]): Matcher {
  const exact = new Map<string, string>()
  const globs: { readonly pattern: string; readonly matches: (text: string) => boolean }[] = []
  for (const pattern of patterns) {
    if (pattern.includes('*')) globs.push({ pattern, matches: compilePattern(pattern) })
    else exact.set(pattern.toLowerCase(), pattern)
  }
  return (tool) =>
    exact.get(tool.id.toLowerCase()) ??
    exact.get(tool.name.toLowerCase()) ??
    globs.find((glob) => glob.matches(tool.id) || glob.matches(tool.name))?.pattern
}
