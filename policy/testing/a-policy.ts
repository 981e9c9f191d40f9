import { createSchemaChecker } from '../../catalog/schema.ts'
import type { Policy } from '../policy.ts'
import { createPolicy } from '../policy.ts'
import { createMatchWhen } from '../rules/when/match-when.ts'
import type { PolicySettings } from '../settings.ts'

const matches = createMatchWhen(createSchemaChecker())

/** With the real schema checker. */
export function aPolicy(settings: PolicySettings): Policy {
  return createPolicy(settings, { matches })
}
