import type { SchemaChecker } from '../../catalog/schema.ts'
import type { Policy } from '../../policy/policy.ts'
import { createPolicy } from '../../policy/policy.ts'
import { createMatchWhen } from '../../policy/rules/when/match-when.ts'
import type { ResolvedConfig } from '../config/read-config.ts'

/** The policy of a configuration. */
export function buildPolicy(config: Pick<ResolvedConfig, 'tools' | 'agents'>, schemas: SchemaChecker): Policy {
  return createPolicy(config, { matches: createMatchWhen(schemas) })
}
