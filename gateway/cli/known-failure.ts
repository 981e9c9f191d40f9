import { StateError } from '../state/errors.ts'
import { CliFailure } from './cli-failure.ts'

/**
 * What a command says of an error that is no defect: a state directory that cannot be used, and what the system says of a
 * file that cannot be read or written (a folder of someone else, a full disk). Undefined for any other.
 */
export function knownFailure(error: unknown): CliFailure | undefined {
  if (error instanceof CliFailure) return error
  if (error instanceof StateError) return new CliFailure(1, error.message)
  if (!(error instanceof Error && 'syscall' in error)) return undefined
  // These come of a file that is open already, and do not name it.
  if ('code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT'))
    return new CliFailure(1, `${error.message}; nothing was changed, make room on the disk and try again`)
  if (!('path' in error)) return undefined
  return new CliFailure(1, `${error.message}; check that the file and its folder are yours to read and write`)
}
