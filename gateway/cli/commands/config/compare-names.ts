import path from 'node:path'
import type { ConfigPath } from '../../../config/document/config-path.ts'
import { formatPath } from '../../../config/document/config-path.ts'
import { findPolicyWarnings } from '../../../config/checking/policy-warnings.ts'
import type { ResolvedConfig } from '../../../config/read-config.ts'
import { readConfig } from '../../../config/read-config.ts'
import type { KnownTools } from '../../../config/checking/known-tools.ts'
import { unknownSources } from '../../../config/checking/known-tools.ts'
import { findUnmatchedNames, unmatchedText } from '../../../config/checking/unmatched-names.ts'
import { isJsonObject } from '../../../../catalog/json.ts'
import type { JsonObject } from '../../../../catalog/json.ts'
import { isStateLockHeld } from '../../../state/state-lock.ts'
import { stateDirectoryPath } from '../../../state/state-directory-path.ts'
import { createGatewayClient } from '../../gateway-client.ts'
import { knownFailure } from '../../known-failure.ts'
import type { Asked, ConfigFlags } from './config-flags.ts'
import { failureOf, objectsOf, textOf } from '../failed-answer.ts'

/** What of the policy probably means something else, and names in tool lists that match no tool of the running gateway. */
export async function compareNames(config: ResolvedConfig, asked: Asked<ConfigFlags>): Promise<readonly string[]> {
  const own = findPolicyWarnings(config).map(({ path, message }) => `${formatPath(path)}: ${message}`)
  return [...own, ...(await unmatchedNames(config, asked))]
}

/** Of what an edit has just changed: who writes a deny list finds out at once that it denies nothing. */
export async function editWarnings(
  { file, changed }: { readonly file: string; readonly changed: readonly ConfigPath[] },
  asked: Asked<ConfigFlags>,
): Promise<readonly string[]> {
  const ofPolicy = changed.filter(([section]) => section === 'tools' || section === 'agents').map(formatPath)
  if (ofPolicy.length === 0) return []
  const { env } = asked.deps
  // Without running anything: an edit must not ask a password manager.
  const read = await readConfig(await asked.deps.readFile(file), {
    env,
    directory: path.dirname(file),
    secrets: 'skip',
  })
  if (read.kind === 'invalid') return []
  return (await compareNames(read.config, asked)).filter((text) => ofPolicy.some((place) => text.startsWith(place)))
}

/** None where no gateway runs. */
async function unmatchedNames(config: ResolvedConfig, { flags, deps }: Asked<ConfigFlags>): Promise<readonly string[]> {
  try {
    if (!(await isStateLockHeld(stateDirectoryPath(flags.stateDir, deps.env)))) return []
    const answer = await createGatewayClient(flags.stateDir, deps, 'admin').request({
      method: 'GET',
      path: '/v1/catalog',
    })
    if (answer.status !== 200) throw failureOf(answer)
    return findUnmatchedNames(config, knownTools(answer.body)).map(
      (unmatched) => `${formatPath(unmatched.path)}: ${unmatchedText(unmatched, ' of the running gateway')}`,
    )
  } catch (error) {
    const failure = knownFailure(error)
    if (failure === undefined) throw error
    // The file is valid all the same.
    return [`names of tools were not compared with the running gateway: ${failure.message}`]
  }
}

function knownTools(catalog: JsonObject): KnownTools {
  const named = [...objectsOf(catalog['tools']), ...objectsOf(catalog['quarantined'])].flatMap((tool) => {
    const id = textOf(tool, 'id')
    return id === undefined ? [] : [{ id, name: textOf(tool, 'name') ?? id.slice(id.lastIndexOf(':') + 1) }]
  })
  const sources = objectsOf(catalog['sources']).map((source) => {
    const state = isJsonObject(source['state']) ? source['state'] : {}
    const [kind = 'connecting', owner = ''] = [textOf(state, 'kind'), textOf(source, 'owner')]
    return { source: textOf(source, 'source') ?? '', owner, kind }
  })
  return { tools: named, ...unknownSources(sources) }
}
