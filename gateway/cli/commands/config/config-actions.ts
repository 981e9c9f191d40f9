import type { JsonObject, JsonValue } from '../../../../catalog/json.ts'
import { findConfigFile, newConfigFile } from '../../../config/config-paths.ts'
import { formatProblem } from '../../../config/config-problem.ts'
import type { ConfigPath } from '../../../config/document/config-path.ts'
import { formatPath, valueAt } from '../../../config/document/config-path.ts'
import { parseDocument } from '../../../config/document/parse-document.ts'
import { loadConfig } from '../../../config/load-config.ts'
import { configFileSchema } from '../../../config/read-config.ts'
import { fillDefaults } from '../../../config/schema/fill-defaults.ts'
import { nearestPath } from '../../../config/schema/nearest-path.ts'
import { isToolSearchSetting } from '../../../config/schema/tool-search-schema.ts'
import { maskSecrets } from '../../../config/secrets/mask-secrets.ts'
import { toolSearchOf } from '../../../config/tool-search.ts'
import type { CliDeps } from '../../cli-deps.ts'
import { CliFailure } from '../../cli-failure.ts'
import { createOutput, readable } from '../../output.ts'
import { compareNames } from './compare-names.ts'
import type { Asked, ConfigFlags } from './config-flags.ts'
import { configPathOf, configPathsOf, invalidConfig } from './config-flags.ts'

export async function getConfig({
  path,
  flags,
  deps,
}: Asked<ConfigFlags> & { readonly path: string | undefined }): Promise<void> {
  const output = createOutput(deps)
  const file = await findConfigFile(configPathsOf(flags, deps))
  const own = file === undefined ? {} : await readFileValue(file, deps)
  const masked = maskSecrets(configFileSchema, own)
  const at = path === undefined ? [] : configPathOf(path)
  const written = valueAt(masked, at)
  const filled = fillDefaults(configFileSchema, own)
  const value = written ?? valueAt(maskSecrets(configFileSchema, filled), at) ?? toolSearchDefault(filled, at)
  if (value === undefined) throw new CliFailure(1, `${formatPath(at)} is not set and has no default${meant(at)}`)
  if (flags.json) return output.json(value)
  if (written === undefined) output.note('(the default)')
  return output.line(readable(value))
}

/** What `tools.toolSearch` leaves unsaid depends on its form, so its schema cannot say it. */
function toolSearchDefault(filled: JsonValue, path: ConfigPath): JsonValue | undefined {
  const setting = valueAt(filled, ['tools', 'toolSearch'])
  const [, , key, ...more] = path
  if (formatPath(path.slice(0, 2)) !== 'tools.toolSearch' || more.length > 0) return undefined
  if (typeof setting !== 'boolean' && !isToolSearchSetting(setting)) return undefined
  const effective: JsonObject = { ...toolSearchOf({ tools: { toolSearch: setting } }) }
  return typeof key === 'string' ? effective[key] : undefined
}

function meant(path: ConfigPath): string {
  const nearest = nearestPath(configFileSchema, path)
  return nearest === undefined ? '' : `; did you mean ${formatPath(nearest)}?`
}

export async function validateConfig({ flags, deps }: Asked<ConfigFlags>): Promise<void> {
  const output = createOutput(deps)
  const loaded = await loadConfig(configPathsOf(flags, deps), deps.env)
  if (loaded.kind === 'invalid') {
    const failure = invalidConfig(loaded.problems, loaded.source)
    if (flags.json) output.json({ valid: false, ...failure.details })
    throw failure
  }
  const { source } = loaded
  const unresolved = loaded.unresolved.map((problem) => formatProblem(problem, source))
  const warnings = [...unresolved, ...(await compareNames(loaded.config, { flags, deps }))]
  if (flags.json) return output.json({ valid: true, file: source ?? null, warnings })
  for (const warning of warnings) output.note(`warning: ${warning}`)
  return output.line(source === undefined ? 'there is no configuration file; the defaults hold' : `${source} is valid`)
}

export function printSchema({ deps }: Pick<Asked<ConfigFlags>, 'deps'>): void {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'drawbridge.json5',
    ...configFileSchema,
  }
  createOutput(deps).line(JSON.stringify(schema, null, 2))
}

export async function printFile({ flags, deps }: Asked<ConfigFlags>): Promise<void> {
  const output = createOutput(deps)
  const paths = configPathsOf(flags, deps)
  const found = await findConfigFile(paths)
  const file = found ?? newConfigFile(paths)
  if (flags.json) return output.json({ file, exists: found !== undefined })
  if (found === undefined) output.note('(not there yet; the first "config set" makes it)')
  return output.line(file)
}

async function readFileValue(file: string, deps: CliDeps): Promise<JsonValue> {
  const parsed = parseDocument(await deps.readFile(file))
  if (parsed.kind === 'invalid') throw invalidConfig(parsed.problems, file)
  return parsed.document.value
}
