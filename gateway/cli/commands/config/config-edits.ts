import type { JsonValue } from '../../../../catalog/json.ts'
import { canonicalJson, isJsonObject } from '../../../../catalog/json.ts'
import type { ConfigPath } from '../../../config/document/config-path.ts'
import { formatPath, valueAt } from '../../../config/document/config-path.ts'
import type { EditResult } from '../../../config/document/edit-document.ts'
import { setPath, unsetPath } from '../../../config/document/edit-document.ts'
import { mergeDocument } from '../../../config/document/merge-document.ts'
import { parseDocument } from '../../../config/document/parse-document.ts'
import { editConfigFile } from '../../../config/edit-config-file.ts'
import { replacedMap } from '../../../config/protected-maps.ts'
import { configFileSchema } from '../../../config/read-config.ts'
import { maskSecrets } from '../../../config/secrets/mask-secrets.ts'
import { CliFailure } from '../../cli-failure.ts'
import { isFileGone } from '../../take-up.ts'
import type { Asked, ConfigFlags, EditFlags } from './config-flags.ts'
import { configPathOf, configPathsOf, invalidConfig } from './config-flags.ts'
import { readValue } from '../read-value.ts'
import type { AppliedEdit } from './tell-edit.ts'
import { tellEdit } from './tell-edit.ts'

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
  await tellEdit(await applyEdit(asked, path, change), path, asked)
}

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
  if (await isFileGone(paths, { flags, deps })) {
    throw new CliFailure(
      1,
      'the file that the running gateway serves by is gone, and a new one would drop what it held, rules among it; ' +
        `put it back (${paths.stateDirectory}/config-backups has copies), or stop the gateway to begin anew; nothing was written`,
    )
  }
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
