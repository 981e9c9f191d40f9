import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { ConfigPaths } from './config-paths.ts'
import { findConfigFile } from './config-paths.ts'
import type { ConfigProblem } from './config-problem.ts'
import { valueAt } from './document/config-path.ts'
import { parseDocument } from './document/parse-document.ts'
import { configFileSchema } from './read-config.ts'
import { fillDefaults } from './schema/fill-defaults.ts'
import { hasReference } from './secrets/references.ts'
import type { Environment } from './secrets/resolve-references.ts'
import { resolveReferences } from './secrets/resolve-references.ts'

export type StoreUrl =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'invalid'; readonly file: string; readonly problems: readonly ConfigProblem[] }

const AT = ['store', 'url'] as const

/** Where the store is, also where the rest of the configuration cannot be used here: no secret is fetched for it. */
export async function readStoreUrl(paths: ConfigPaths, env: Environment): Promise<StoreUrl> {
  const file = await findConfigFile(paths)
  const parsed = parseDocument(file === undefined ? '{}' : await readFile(file, 'utf8'))
  const where = file ?? paths.stateDirectory
  if (parsed.kind === 'invalid') return { kind: 'invalid', file: where, problems: parsed.problems }
  const filled = fillDefaults(configFileSchema, parsed.document.value)
  const directory = path.dirname(where)
  const { value } = await resolveReferences(configFileSchema, filled, { env, directory, secrets: 'skip' })
  const url = valueAt(value, AT)
  if (typeof url === 'string' && !hasReference(url)) return { kind: 'url', url }
  const message = 'does not say where the store is; give it as "sqlite:" and a file'
  return { kind: 'invalid', file: where, problems: [{ kind: 'invalid', path: AT, message }] }
}
