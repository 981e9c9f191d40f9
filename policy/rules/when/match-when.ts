import { hashJson } from '../../../catalog/json.ts'
import type { SchemaChecker } from '../../../catalog/schema.ts'
import type { MatchWhen } from './judge.ts'

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
