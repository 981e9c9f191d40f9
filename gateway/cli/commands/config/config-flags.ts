import type { ConfigPaths } from '../../../config/config-paths.ts'
import { configPaths } from '../../../config/config-paths.ts'
import type { ConfigProblem } from '../../../config/config-problem.ts'
import { formatProblem } from '../../../config/config-problem.ts'
import type { ConfigPath } from '../../../config/document/config-path.ts'
import { formatPath, parsePath } from '../../../config/document/config-path.ts'
import { stateDirectoryPath } from '../../../state/state-directory-path.ts'
import type { CliDeps } from '../../cli-deps.ts'
import { CliFailure } from '../../cli-failure.ts'

/** Of every command that works on the configuration file. */
export interface ConfigFlags {
  readonly config?: string
  readonly stateDir?: string
  readonly json?: true
}

/** Of every command that edits it. */
export interface EditFlags extends ConfigFlags {
  readonly dryRun?: true
  /** JSON5: the edit is done only where this stands at the path. */
  readonly expectCurrentJson?: string
}

export interface Asked<Flags> {
  readonly flags: Flags
  readonly deps: CliDeps
}

export function configPathsOf({ config, stateDir }: ConfigFlags, deps: CliDeps): ConfigPaths {
  const stateDirectory = stateDirectoryPath(stateDir, deps.env)
  const named = config === undefined ? {} : { configFile: config }
  return configPaths({ cwd: deps.cwd, env: deps.env, stateDirectory, ...named })
}

/** @throws {CliFailure} 2 for a path that cannot be read */
export function configPathOf(text: string): ConfigPath {
  const parsed = parsePath(text)
  if (parsed.kind === 'invalid') throw new CliFailure(2, parsed.message)
  return parsed.path
}

export function invalidConfig(
  problems: readonly ConfigProblem[],
  file: string | undefined,
  endings: readonly string[] = [],
): CliFailure {
  const lines = problems.map((problem) => formatProblem(problem, file))
  const listed = problems.map(({ path, message, position }) => ({ path: formatPath(path), message, ...position }))
  return new CliFailure(2, [...lines, ...endings].join('\n'), { file: file ?? null, problems: listed })
}
