import type { SchemaChecker } from '../../catalog/schema.ts'
import { hashJson } from '../../catalog/json.ts'
import type { Policy } from '../../policy/policy.ts'
import { createPolicy } from '../../policy/policy.ts'
import type { MatchWhen } from '../../policy/rules/when/judge.ts'
import type { ResolvedConfig } from '../config/read-config.ts'

/** The policy of a configuration. */
export function buildPolicy(config: Pick<ResolvedConfig, 'tools' | 'agents'>, schemas: SchemaChecker): Policy {
  return createPolicy(config, { matches: createMatchWhen(schemas) })
}

/** Arguments against the schema of a rule; what would take too much work, or cannot be checked safely, is undecided. */
export function createMatchWhen(schemas: Pick<SchemaChecker, 'validateOutput'>): MatchWhen {
  const hashes = new WeakMap<object, string>()
  return (when, input) => {
    const hash = hashes.get(when) ?? hashJson(when)
    hashes.set(when, hash)
    const result = schemas.validateOutput(when, hash, input)
    if (result.kind === 'valid') return 'yes'
    return result.errors.some(({ keyword }) => UNDECIDED.has(keyword)) ? 'undecided' : 'no'
  }
}

/** Errors that are about the check, not about the value. */
const UNDECIDED: ReadonlySet<string> = new Set(['unsafe', 'work', 'schema'])
