import { createSchemaChecker } from '../../catalog/schema.ts'
import { findPolicyProblems } from '../../policy/policy-problems.ts'
import type { Config } from './schema/config-schema.ts'
import type { Finding } from './schema/find-problems.ts'
import { nearestName } from './schema/nearest-name.ts'

/** Rules that cannot be enforced are refused with the configuration, so that none is ever half in force. */
export function checkPolicy(config: Pick<Config, 'tools' | 'agents'>): readonly Finding[] {
  const schemas = createSchemaChecker()
  return findPolicyProblems(config, {
    nearestName,
    schemaFault(when) {
      const verdict = schemas.inspect(when, 'output')
      if (verdict.kind === 'sound') return undefined
      return verdict.path === undefined ? verdict.reason : `${verdict.path}: ${verdict.reason}`
    },
  })
}
