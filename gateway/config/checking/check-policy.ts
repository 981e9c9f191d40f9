import path from 'node:path'
import { createSchemaChecker } from '../../../catalog/schema.ts'
import { findPolicyProblems } from '../../../policy/policy-problems.ts'
import type { Finding } from '../../schema/find-problems.ts'
import { nearestName } from '../../schema/nearest-name.ts'
import type { Config } from '../schema/config-schema.ts'

/** Rules that cannot be enforced are refused with the configuration, so that none is ever half in force. */
export function checkPolicy(config: Pick<Config, 'tools' | 'agents' | 'mcp' | 'plugins'>): readonly Finding[] {
  const schemas = createSchemaChecker()
  return findPolicyProblems(config, {
    nearestName,
    owners: [...BUNDLED_PLUGINS, ...pluginsOf(config), ...Object.keys(config.mcp.servers)],
    schemaFault(when) {
      const verdict = schemas.inspect(when, 'output')
      // What of a tool's schema is passed over with a note would leave a rule wider, or narrower, than it reads.
      if (verdict.kind === 'sound') return verdict.notes.length === 0 ? undefined : verdict.notes.join('; ')
      return verdict.path === undefined ? verdict.reason : `${verdict.path}: ${verdict.reason}`
    },
  })
}

/** Always there, named or not. */
const BUNDLED_PLUGINS = ['demo']

/** Those that have settings; of the others a file or folder is named as its plugin is, as a rule. */
function pluginsOf({ plugins }: Pick<Config, 'plugins'>): readonly string[] {
  return [...Object.keys(plugins.entries), ...plugins.paths.map((place) => path.parse(place).name)]
}
