import { formatProblem } from '../../config/config-problem.ts'
import { compareNames } from '../commands/config/compare-names.ts'
import type { DoctorFinding } from './doctor-finding.ts'
import { fine } from './doctor-finding.ts'
import type { Examined } from './examined.ts'

export async function checkConfiguration({ loaded, flags, deps }: Examined): Promise<readonly DoctorFinding[]> {
  const check = 'configuration'
  const { source } = loaded
  if (loaded.kind === 'invalid') {
    return loaded.problems.map((problem) => ({
      check,
      level: 'problem',
      message: formatProblem(problem, source),
      fix:
        problem.kind === 'reference'
          ? 'make it available to the gateway, or take the reference out'
          : `correct it, and check with "drawbridge config validate"`,
    }))
  }
  const warnings = await compareNames(loaded.config, { flags, deps })
  return [
    fine(check, source === undefined ? 'there is no file; the defaults hold' : `${source} is valid`),
    ...warnings.map((message): DoctorFinding => {
      return { check, level: 'warning', message, fix: 'correct the entry, or take it out' }
    }),
  ]
}
