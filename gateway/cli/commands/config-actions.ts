import type { JsonValue } from '../../../catalog/json.ts'
import { appliesHow } from '../../config/applies.ts'
import type { ConfigPaths } from '../../config/config-paths.ts'
import { configPaths, findConfigFile, newConfigFile } from '../../config/config-paths.ts'
import type { ConfigProblem } from '../../config/config-problem.ts'
import { formatProblem } from '../../config/config-problem.ts'
import type { ConfigPath } from '../../config/document/config-path.ts'
import { formatPath, parsePath, valueAt } from '../../config/document/config-path.ts'
import type { EditResult } from '../../config/document/edit-document.ts'
import { setPath, unsetPath } from '../../config/document/edit-document.ts'
import { parseDocument } from '../../config/document/parse-document.ts'
import type { FileEditResult } from '../../config/edit-config-file.ts'
import { editConfigFile } from '../../config/edit-config-file.ts'
import { loadConfig } from '../../config/load-config.ts'
import { configFileSchema } from '../../config/read-config.ts'
import { fillDefaults } from '../../config/schema/fill-defaults.ts'
import { maskSecrets } from '../../config/secrets/mask-secrets.ts'
import { stateDirectoryPath } from '../../state/state-directory-path.ts'
import type { CliDeps } from '../cli-deps.ts'
import { CliFailure } from '../cli-failure.ts'
import { createOutput, readable } from '../output.ts'
import { readValue } from './read-value.ts'

export interface ConfigFlags {
  readonly config?: string
  readonly stateDir?: string
  readonly json?: true
}

export interface SetFlags extends ConfigFlags {
  readonly strictJson?: true
  readonly dryRun?: true
}

interface Asked<Flags> {
  readonly flags: Flags
  readonly deps: CliDeps
}

export async function getConfig({
  path,
  flags,
  deps,
}: Asked<ConfigFlags> & { readonly path: string | undefined }): Promise<void> {
  const output = createOutput(deps)
  const file = await findConfigFile(pathsOf(flags, deps))
  const own = file === undefined ? {} : await readFileValue(file, deps)
  const masked = maskSecrets(configFileSchema, own)
  const at = path === undefined ? [] : pathOf(path)
  const written = valueAt(masked, at)
  const value = written ?? valueAt(maskSecrets(configFileSchema, fillDefaults(configFileSchema, own)), at)
  if (value === undefined) throw new CliFailure(1, `${formatPath(at)} is not set and has no default`)
  if (flags.json) return output.json(value)
  if (written === undefined) output.note('(the default)')
  return output.line(readable(value))
}

export async function setConfig(
  asked: Asked<SetFlags> & { readonly path: string; readonly value: string },
): Promise<void> {
  const { flags } = asked
  const path = pathOf(asked.path)
  const read = readValue(asked.value, { isStrict: flags.strictJson === true })
  if (read.kind === 'invalid') throw new CliFailure(2, read.message)
  await edit(asked, path, (text) => setPath(text, path, read.value))
}

export async function unsetConfig(asked: Asked<SetFlags> & { readonly path: string }): Promise<void> {
  const path = pathOf(asked.path)
  await edit(asked, path, (text) => unsetPath(text, path))
}

export async function validateConfig({ flags, deps }: Asked<ConfigFlags>): Promise<void> {
  const output = createOutput(deps)
  const loaded = await loadConfig(pathsOf(flags, deps), deps.env)
  if (loaded.kind === 'invalid') {
    const failure = invalid(loaded.problems, loaded.source)
    if (flags.json) output.json({ valid: false, ...failure.details })
    throw failure
  }
  if (flags.json) return output.json({ valid: true, file: loaded.source ?? null })
  return output.line(
    loaded.source === undefined ? 'there is no configuration file; the defaults hold' : `${loaded.source} is valid`,
  )
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
  const paths = pathsOf(flags, deps)
  const found = await findConfigFile(paths)
  const file = found ?? newConfigFile(paths)
  if (flags.json) return output.json({ file, exists: found !== undefined })
  if (found === undefined) output.note('(not there yet; the first "config set" makes it)')
  return output.line(file)
}

async function edit(
  { flags, deps }: Asked<SetFlags>,
  path: ConfigPath,
  change: (text: string) => EditResult,
): Promise<void> {
  const isDryRun = flags.dryRun === true
  const result = await editConfigFile({
    paths: pathsOf(flags, deps),
    env: deps.env,
    nowMs: deps.now(),
    isDryRun,
    edit: change,
  })
  if (result.kind === 'refused') throw invalid(result.problems, result.file, 'nothing was written')
  if (result.kind === 'absent') throw new CliFailure(1, `${formatPath(path)} is not set in ${result.file}`)
  printEdit(result, path, { flags, deps })
}

function printEdit(
  result: Exclude<FileEditResult, { kind: 'refused' }>,
  path: ConfigPath,
  { flags, deps }: Asked<SetFlags>,
): void {
  const output = createOutput(deps)
  const isDryRun = flags.dryRun === true
  const applies = appliesHow(path)
  const warnings = result.kind === 'edited' ? result.warnings.map((warning) => formatProblem(warning, result.file)) : []
  const isChanged = result.kind === 'edited'
  if (flags.json)
    return output.json({
      changed: isChanged,
      file: result.file,
      path: formatPath(path),
      applies,
      dryRun: isDryRun,
      warnings,
    })
  if (!isChanged) return output.line(`no change: ${result.file} says so already`)
  for (const warning of warnings) output.note(`warning: ${warning}`)
  output.line(`${isDryRun ? 'would change' : 'changed'} ${formatPath(path)} in ${result.file}`)
  return output.line(
    applies === 'live' ? 'a running gateway takes it up within a second' : 'restart the gateway for it to apply',
  )
}

function pathsOf(flags: ConfigFlags, deps: CliDeps): ConfigPaths {
  const stateDirectory = stateDirectoryPath(flags.stateDir, deps.env)
  return configPaths({
    cwd: deps.cwd,
    env: deps.env,
    stateDirectory,
    ...(flags.config !== undefined && { configFile: flags.config }),
  })
}

function pathOf(text: string): ConfigPath {
  const parsed = parsePath(text)
  if (parsed.kind === 'invalid') throw new CliFailure(2, parsed.message)
  return parsed.path
}

async function readFileValue(file: string, deps: CliDeps): Promise<JsonValue> {
  const parsed = parseDocument(await deps.readFile(file))
  if (parsed.kind === 'invalid') throw invalid(parsed.problems, file)
  return parsed.document.value
}

function invalid(problems: readonly ConfigProblem[], file: string | undefined, ending?: string): CliFailure {
  const lines = problems.map((problem) => formatProblem(problem, file))
  const listed = problems.map(({ path, message, position }) => ({ path: formatPath(path), message, ...position }))
  const message = [...lines, ...(ending === undefined ? [] : [ending])].join('\n')
  return new CliFailure(2, message, { file: file ?? null, problems: listed })
}
