import type { JsonValue } from '../../../catalog/json.ts'
import { canonicalJson, isJsonObject } from '../../../catalog/json.ts'
import { appliesHow } from '../../config/applies.ts'
import { formatProblem } from '../../config/config-problem.ts'
import type { ConfigPath } from '../../config/document/config-path.ts'
import { formatPath, valueAt } from '../../config/document/config-path.ts'
import type { EditResult } from '../../config/document/edit-document.ts'
import { setPath, unsetPath } from '../../config/document/edit-document.ts'
import { mergeDocument } from '../../config/document/merge-document.ts'
import { parseDocument } from '../../config/document/parse-document.ts'
import type { FileEditResult } from '../../config/edit-config-file.ts'
import { editConfigFile } from '../../config/edit-config-file.ts'
import { replacedMap } from '../../config/protected-maps.ts'
import { configFileSchema } from '../../config/read-config.ts'
import { maskSecrets } from '../../config/secrets/mask-secrets.ts'
import { CliFailure } from '../cli-failure.ts'
import { createOutput } from '../output.ts'
import type { TakeUp } from '../take-up.ts'
import { awaitTakeUp } from '../take-up.ts'
import { editWarnings } from './compare-names.ts'
import type { Asked, ConfigFlags } from './config-flags.ts'
import { configPathOf, configPathsOf, invalidConfig } from './config-flags.ts'
import { readValue } from './read-value.ts'

export interface EditFlags extends ConfigFlags {
  readonly dryRun?: true
  /** JSON5: the edit is done only where this stands at the path. */
  readonly expectCurrentJson?: string
}

export interface PatchFlags extends ConfigFlags {
  readonly dryRun?: true
  readonly strictJson?: true
}

export interface SetFlags extends EditFlags {
  readonly strictJson?: true
  readonly merge?: true
  readonly replace?: true
  readonly expectCurrentAbsent?: true
}

export async function setConfig(
  asked: Asked<SetFlags> & { readonly path: string; readonly value: string },
): Promise<void> {
  const { flags } = asked
  const path = configPathOf(asked.path)
  if (flags.merge && flags.replace) throw new CliFailure(2, '--merge and --replace exclude each other')
  if (flags.expectCurrentAbsent && flags.expectCurrentJson !== undefined) {
    throw new CliFailure(2, '--expect-current-absent and --expect-current-json exclude each other')
  }
  const value = valueOf(asked.value, flags)
  const patch = flags.merge ? value : undefined
  if (patch !== undefined && !isJsonObject(patch)) throw new CliFailure(2, '--merge needs an object as its value')
  const expected = expectationOf(flags)
  await edit(asked, path, (text) => {
    const conflict =
      conflictWith(text, path, expected) ?? (flags.merge || flags.replace ? undefined : lossOf(text, path, value))
    if (conflict !== undefined) return { kind: 'conflict', message: conflict }
    return patch === undefined ? setPath(text, path, value) : mergeDocument(text, path, patch)
  })
}

export async function patchConfig(asked: Asked<PatchFlags> & { readonly patch: string }): Promise<void> {
  const { flags, deps } = asked
  const patch = valueOf(asked.patch === '-' ? await deps.readStdin() : asked.patch, flags)
  if (!isJsonObject(patch)) throw new CliFailure(2, 'a patch is an object, e.g. "{ gateway: { port: 9000 } }"')
  await edit(asked, [], (text) => mergeDocument(text, [], patch))
}

export async function unsetConfig(asked: Asked<EditFlags> & { readonly path: string }): Promise<void> {
  const path = configPathOf(asked.path)
  const expected = expectationOf(asked.flags)
  await edit(asked, path, (text) => {
    const conflict = conflictWith(text, path, expected)
    return conflict === undefined ? unsetPath(text, path) : { kind: 'conflict', message: conflict }
  })
}

/** What must stand at the path before the edit. */
type Expectation =
  | { readonly kind: 'anything' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'value'; readonly value: JsonValue }

function expectationOf({ expectCurrentJson, expectCurrentAbsent }: SetFlags): Expectation {
  if (expectCurrentAbsent) return { kind: 'absent' }
  if (expectCurrentJson === undefined) return { kind: 'anything' }
  return { kind: 'value', value: valueOf(expectCurrentJson, {}) }
}

function valueOf(text: string, { strictJson }: Pick<SetFlags, 'strictJson'>): JsonValue {
  const read = readValue(text, { isStrict: strictJson === true })
  if (read.kind === 'invalid') throw new CliFailure(2, read.message)
  return read.value
}

function conflictWith(text: string, path: ConfigPath, expected: Expectation): string | undefined {
  if (expected.kind === 'anything') return undefined
  const parsed = parseDocument(text)
  // The edit itself reports what cannot be read.
  if (parsed.kind === 'invalid') return undefined
  const { value } = parsed.document
  const current = valueAt(value, path)
  const wanted = expected.kind === 'absent' ? undefined : canonicalJson(expected.value)
  if ((current === undefined ? undefined : canonicalJson(current)) === wanted) return undefined
  const shown = valueAt(maskSecrets(configFileSchema, value), path)
  const is = shown === undefined ? 'is not set' : `is ${JSON.stringify(shown)}`
  return `${formatPath(path)} ${is}, which is not what was expected; nothing was written`
}

function lossOf(text: string, path: ConfigPath, value: JsonValue): string | undefined {
  const parsed = parseDocument(text)
  const map = parsed.kind === 'document' ? replacedMap(parsed.document.value, path, value) : undefined
  if (map === undefined) return undefined
  const held = `${formatPath(map.path)} holds ${map.names.join(', ')}`
  return `${held}; add --merge to keep what the value does not name, or --replace to mean the value as a whole; nothing was written`
}

async function edit(asked: Asked<EditFlags>, path: ConfigPath, change: (text: string) => EditResult): Promise<void> {
  const result = await applyEdit(asked, path, change)
  const isWritten = result.kind === 'edited' && asked.flags.dryRun !== true
  const taken = isWritten ? await awaitTakeUp(result.file, asked) : undefined
  const warnings = isWritten ? await editWarnings(result, asked) : []
  printEdit(result, path, { ...asked, warnings, ...(taken && { taken }) })
}

export type AppliedEdit = Extract<FileEditResult, { kind: 'edited' | 'unchanged' }>

/**
 * Edits the configuration file; for every command that does.
 * @throws {CliFailure} when the result would be no configuration, or the edit does not fit what is there
 */
export async function applyEdit(
  { flags, deps }: Asked<EditFlags>,
  path: ConfigPath,
  change: (text: string) => EditResult,
): Promise<AppliedEdit> {
  const isDryRun = flags.dryRun === true
  const paths = configPathsOf(flags, deps)
  const result = await editConfigFile({ paths, env: deps.env, nowMs: deps.now(), isDryRun, edit: change })
  switch (result.kind) {
    case 'refused': {
      const kept = result.rejected === undefined ? '' : `; what was refused is kept in ${result.rejected}`
      throw invalidConfig(result.problems, result.file, [`nothing was written${kept}`])
    }
    case 'conflict':
      throw new CliFailure(1, result.message, { file: result.file, path: formatPath(path) })
    case 'absent':
      throw new CliFailure(1, `${formatPath(path)} is not set in ${result.file}`)
    case 'edited':
    case 'unchanged':
      return result
  }
}

/** What an edit did, as `--json` says it. */
export function editReport(result: AppliedEdit, path: ConfigPath, { dryRun }: EditFlags) {
  const isChanged = result.kind === 'edited'
  const changed = isChanged ? result.changed : []
  const warnings = isChanged ? warningsOf(result) : []
  const restart = changed.filter((each) => appliesHow(each) === 'restart').map(formatPath)
  const common = { changed: isChanged, file: result.file, dryRun: dryRun === true, warnings }
  const applies = restart.length > 0 ? 'restart' : 'live'
  return { ...common, path: formatPath(path), changes: changed.map(formatPath), applies, restart }
}

function warningsOf({ warnings, plainSecrets, file }: Extract<AppliedEdit, { kind: 'edited' }>): readonly string[] {
  return [
    ...warnings.map((warning) => formatProblem(warning, file)),
    ...plainSecrets.map(({ path, takesSource }) => {
      const others = takesSource ? ', { file: "…" } or { command: ["…"] }' : ''
      return `${formatPath(path)} stands in ${file} in plain text; write "\${NAME}" of the environment${others} there instead`
    }),
  ]
}

export function printEdit(
  result: AppliedEdit,
  path: ConfigPath,
  {
    flags,
    deps,
    taken,
    warnings: more = [],
  }: Asked<EditFlags> & { readonly taken?: TakeUp; readonly warnings?: readonly string[] },
): void {
  const output = createOutput(deps)
  const isDryRun = flags.dryRun === true
  const edited = editReport(result, path, flags)
  const report = { ...edited, warnings: [...edited.warnings, ...more] }
  if (flags.json) return output.json({ ...report, ...(taken && { gateway: { ...taken } }) })
  const { changed: isChanged, warnings, changes, restart } = report
  if (!isChanged) return output.line(`no change: ${result.file} says so already`)
  for (const warning of warnings) output.note(`warning: ${warning}`)
  const what = path.length > 0 ? formatPath(path) : changes.join(', ') || 'what is the default anyway'
  output.line(`${isDryRun ? 'would change' : 'changed'} ${what} in ${result.file}`)
  return output.line(hintOf(taken, { restart, changes: changes.length }))
}

interface Changes {
  readonly restart: readonly string[]
  readonly changes: number
}

/** Exactly one line, whatever was changed. */
function hintOf(taken: TakeUp | undefined, { restart, changes }: Changes): string {
  switch (taken?.kind) {
    case 'other-file':
      return `the running gateway reads ${taken.file ?? 'no file'}, and nothing of this one; name it by --config there, or edit that`
    case 'refused':
      return 'the running gateway refused it and keeps what it had; its log says why'
    case 'waiting':
      return 'the running gateway has not taken it up within a second; its log says why'
    case 'taken':
      if (restart.length === 0) return 'the running gateway has taken it up'
      if (restart.length === changes) return 'restart the gateway for it to apply'
      return `restart the gateway for ${restart.join(', ')} to apply; the running one has taken up the rest`
    case undefined:
      break
  }
  if (restart.length === 0) return 'a running gateway takes it up within a second'
  if (restart.length === changes) return 'restart the gateway for it to apply'
  return `restart the gateway for ${restart.join(', ')} to apply; a running one takes up the rest within a second`
}
