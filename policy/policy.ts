import type { CallerPolicy } from './decide.ts'
import { createCallerPolicy } from './decide.ts'
import { groupsOf } from './entries/groups.ts'
import type { PolicyLayer } from './layer.ts'
import type { CompiledLayer } from './layers/compiled-layer.ts'
import { compileLayer } from './layers/compiled-layer.ts'
import { createLayerBook } from './layers/layer-book.ts'
import { POLICIES_MAX_COUNT } from './limits.ts'
import type { PolicyCaller } from './policy-caller.ts'
import type { MatchWhen } from './rules/rule-book.ts'
import { createRuleBook } from './rules/rule-book.ts'
import type { PolicySettings } from './settings.ts'

export interface PolicyDeps {
  readonly matches: MatchWhen
}

/** All of the policy of one configuration. */
export interface Policy {
  /** The same object for callers to whom the same layers apply. */
  of(caller: PolicyCaller): CallerPolicy
}

/** Compiles a layer when a caller first meets it, and once. */
export function createPolicy(settings: PolicySettings, deps: PolicyDeps): Policy {
  const { groups: own, rules, approvals } = settings.tools
  const groups = groupsOf(own)
  const book = createLayerBook(settings)
  const ruleBook = createRuleBook(rules, groups, deps.matches)
  const compiled = new WeakMap<PolicyLayer, CompiledLayer>()
  const compile = (layer: PolicyLayer): CompiledLayer => {
    const known = compiled.get(layer)
    if (known !== undefined) return known
    const made = compileLayer(layer, groups)
    compiled.set(layer, made)
    return made
  }
  const numbers = createNumbers()
  const policies = new Map<string, CallerPolicy>()
  return {
    of(caller) {
      const layers = book.layersOf(caller)
      const key = keyOf(layers, numbers)
      const known = policies.get(key)
      if (known !== undefined) {
        policies.delete(key)
        policies.set(key, known)
        return known
      }
      const made = createCallerPolicy({ layers: layers.map(compile), rules: ruleBook, approvals })
      policies.set(key, made)
      const [oldest] = policies.keys()
      if (policies.size > POLICIES_MAX_COUNT && oldest !== undefined) policies.delete(oldest)
      return made
    },
  }
}

/** Layers of the configuration are always the same objects; those of a request are told by what they say. */
function keyOf(layers: readonly PolicyLayer[], numberOf: (layer: PolicyLayer) => number): string {
  const parts = layers.map((layer) => (isOfCaller(layer) ? [layer.path, layer.allow, layer.deny] : numberOf(layer)))
  return JSON.stringify(parts)
}

function isOfCaller({ kind, path }: PolicyLayer): boolean {
  return kind === 'session' || (kind === 'agent' && path.length === 2)
}

function createNumbers(): (layer: PolicyLayer) => number {
  const numbers = new WeakMap<PolicyLayer, number>()
  let last = 0
  return (layer) => {
    const known = numbers.get(layer)
    if (known !== undefined) return known
    last += 1
    numbers.set(layer, last)
    return last
  }
}
