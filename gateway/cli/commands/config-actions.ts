import type { JsonValue } from '../../../catalog/json.ts'
import { findConfigFile, newConfigFile } from '../../config/config-paths.ts'
import { formatPath, valueAt } from '../../config/document/config-path.ts'
import { parseDocument } from '../../config/document/parse-document.ts'
import { loadConfig } from '../../config/load-config.ts'
import { configFileSchema } from '../../config/read-config.ts'
import { fillDefaults } from '../../config/schema/fill-defaults.ts'
import { maskSecrets } from '../../config/secrets/mask-secrets.ts'
import type { CliDeps } from '../cli-deps.ts'
import { CliFailure } from '../cli-failure.ts'
import { createOutput, readable } from '../output.ts'
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
  const value = written ?? valueAt(maskSecrets(configFileSchema, fillDefaults(configFileSchema, own)), at)
  if (value === undefined) throw new CliFailure(1, `${formatPath(at)} is not set and has no default`)
  if (flags.json) return output.json(value)
  if (written === undefined) output.note('(the default)')
  return output.line(readable(value))
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
  const warnings = await compareNames(loaded.config, { flags, deps })
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
