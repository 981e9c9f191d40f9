import { createSchemaChecker } from '../../catalog/schema.ts'
import type { Policy } from '../policy.ts'
import { createPolicy } from '../policy.ts'
import type { MatchWhen } from '../rules/when/judge.ts'
import type { PolicySettings } from '../settings.ts'

const schemas = createSchemaChecker()

/** With the real schema checker. */
const matchWhen: MatchWhen = (when, input) =>
  schemas.validateOutput(when, JSON.stringify(when), input).kind === 'valid' ? 'yes' : 'no'

export function aPolicy(settings: PolicySettings): Policy {
  return createPolicy(settings, { matches: matchWhen })
}
