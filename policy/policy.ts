import type { CallerPolicy } from './decide.ts'
import { createCallerPolicy } from './decide.ts'
import { groupsOf } from './entries/groups.ts'
import type { PolicyLayer } from './layer.ts'
import type { CompiledLayer } from './layers/compiled-layer.ts'
import { compileLayer } from './layers/compiled-layer.ts'
import { createLayerBook } from './layers/layer-book.ts'
import { PASSING_POLICIES_MAX_COUNT, POLICIES_MAX_COUNT } from './limits.ts'
import type { PolicyCaller } from './policy-caller.ts'
import { createNarrowing } from './rules/narrowing.ts'
import { createRuleBook } from './rules/rule-book.ts'
import type { MatchWhen } from './rules/when/judge.ts'
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
  const narrowed = createNarrowing(ruleBook)
  const compiled = new WeakMap<PolicyLayer, CompiledLayer>()
  const compile = (layer: PolicyLayer): CompiledLayer => {
    const made = compiled.get(layer) ?? compileLayer(layer, groups)
    compiled.set(layer, made)
    return made
  }
  const make = (layers: readonly PolicyLayer[]): CallerPolicy =>
    createCallerPolicy({ layers: layers.map(compile), rules: ruleBook, narrowed, approvals })
  const kept = createRecent<CallerPolicy>(POLICIES_MAX_COUNT)
  const passing = createRecent<CallerPolicy>(PASSING_POLICIES_MAX_COUNT)
  const keyOf = createKeys()
  // A request asks with the same caller for each of its calls.
  const byCaller = new WeakMap<PolicyCaller, CallerPolicy>()
  return {
    of(caller) {
      const known = byCaller.get(caller)
      if (known !== undefined) return known
      const layers = book.layersOf(caller)
      const recent = layers.some(({ isSent }) => isSent === true) ? passing : kept
      const found = recent.getOrMake(keyOf(layers), () => make(layers))
      byCaller.set(caller, found)
      return found
    },
  }
}

/** Layers of the configuration are always the same objects, and so numbered; those that were sent are told by what they say. */
function createKeys(): (layers: readonly PolicyLayer[]) => string {
  const numbers = new WeakMap<PolicyLayer, number>()
  let last = 0
  const numberOf = (layer: PolicyLayer): number => {
    const known = numbers.get(layer)
    if (known !== undefined) return known
    last += 1
    numbers.set(layer, last)
    return last
  }
  return (layers) =>
    JSON.stringify(
      layers.map((layer) => (layer.isSent === true ? [layer.path, layer.allow, layer.deny] : numberOf(layer))),
    )
}

/** The values that were asked for last, at most so many. */
function createRecent<Value>(maxCount: number): { getOrMake(key: string, make: () => Value): Value } {
  const values = new Map<string, Value>()
  return {
    getOrMake(key, make) {
      const value = values.get(key) ?? make()
      // Put at the end: the first is the one that was asked for longest ago.
      values.delete(key)
      values.set(key, value)
      const [oldest] = values.keys()
      if (values.size > maxCount && oldest !== undefined) values.delete(oldest)
      return value
    },
  }
}
