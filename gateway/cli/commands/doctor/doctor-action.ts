import type { JsonObject } from '../../../../catalog/json.ts'
import type { CliDeps } from '../../cli-deps.ts'
import { CliFailure } from '../../cli-failure.ts'
import type { DoctorFinding } from '../../doctor/doctor-finding.ts'
import { runChecks } from '../../doctor/run-checks.ts'
import type { Output } from '../../output.ts'
import { createOutput, harmless } from '../../output.ts'

export interface DoctorFlags {
  readonly config?: string
  readonly stateDir?: string
  readonly fix?: true
  readonly json?: true
}

export async function doctor({ flags, deps }: { readonly flags: DoctorFlags; readonly deps: CliDeps }): Promise<void> {
  const output = createOutput(deps)
  const findings = await runChecks(flags, deps)
  // After the last check: it ends the process while a plugin that was tried would keep it.
  deps.abandonHandles()
  const left = (level: DoctorFinding['level']): number =>
    findings.filter((finding) => finding.level === level && !finding.isFixed).length
  const [problems, warnings] = [left('problem'), left('warning')]
  if (flags.json) output.json({ healthy: problems + warnings === 0, problems, warnings, findings: findings.map(plain) })
  else for (const finding of findings) print(finding, output)
  if (problems + warnings === 0) return
  const parts = [count(problems, 'problem'), count(warnings, 'warning')].filter((part) => part !== '')
  throw new CliFailure(problems > 0 ? 2 : 1, `found ${parts.join(' and ')}`)
}

const LEVEL_CHARS = 'warning'.length
const CHECK_CHARS = 'configuration'.length

function print({ check, level, message, fix, isFixed }: DoctorFinding, output: Output): void {
  const state = isFixed ? 'fixed' : level
  const start = `${state.padEnd(LEVEL_CHARS)}  ${check.padEnd(CHECK_CHARS)}  `
  output.line(harmless(`${start}${message}`))
  if (fix !== undefined && !isFixed) output.line(harmless(`${' '.repeat(start.length)}fix: ${fix}`))
}

function plain({ isFixed, ...finding }: DoctorFinding): JsonObject {
  return { ...finding, ...(isFixed && { fixed: true }) }
}

function count(number: number, noun: string): string {
  return number === 0 ? '' : `${number} ${noun}${number === 1 ? '' : 's'}`
}
