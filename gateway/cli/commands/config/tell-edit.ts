import { appliesHow } from '../../../config/applies.ts'
import { formatProblem } from '../../../config/config-problem.ts'
import type { ConfigPath } from '../../../config/document/config-path.ts'
import { formatPath } from '../../../config/document/config-path.ts'
import type { FileEditResult } from '../../../config/edit-config-file.ts'
import { createOutput } from '../../output.ts'
import type { TakeUp } from '../../take-up.ts'
import { awaitTakeUp } from '../../take-up.ts'
import { editWarnings } from './compare-names.ts'
import type { Asked, EditFlags } from './config-flags.ts'

export type AppliedEdit = Extract<FileEditResult, { kind: 'edited' | 'unchanged' }>

/** Says what an edit did, and what the running gateway made of it; for every command that edits the file. */
export async function tellEdit(result: AppliedEdit, path: ConfigPath, asked: Asked<EditFlags>): Promise<void> {
  const { flags, deps } = asked
  const output = createOutput(deps)
  const told = await toldEdit(result, path, asked)
  if (flags.json) return output.json({ ...told.report })
  const { changed: isChanged, warnings, changes } = told.report
  if (!isChanged) return output.line(`no change: ${result.file} says so already`)
  for (const warning of warnings) output.note(`warning: ${warning}`)
  const what = path.length > 0 ? formatPath(path) : changes.join(', ') || 'what is the default anyway'
  output.line(`${flags.dryRun === true ? 'would change' : 'changed'} ${what} in ${result.file}`)
  return output.line(told.hint)
}

/** What an edit did, as `--json` says it and in one line; waits for the running gateway to take it up. */
export async function toldEdit(result: AppliedEdit, path: ConfigPath, asked: Asked<EditFlags>) {
  const isWritten = result.kind === 'edited' && asked.flags.dryRun !== true
  const taken = isWritten ? await awaitTakeUp(result.file, asked) : undefined
  const more = isWritten ? await editWarnings(result, asked) : []
  const report = editReport(result, path, asked.flags)
  const hint = hintOf(taken, { restart: report.restart, changes: report.changes.length })
  const warnings = [...report.warnings, ...more]
  return { report: { ...report, warnings, ...(taken && { gateway: { ...taken } }) }, hint }
}

function editReport(result: AppliedEdit, path: ConfigPath, { dryRun }: EditFlags) {
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
