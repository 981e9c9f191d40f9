/** A command line that cannot be meant: said without a stack, and the command ends with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** For the last line of a command: what else is thrown is a defect, and keeps its stack. */
export function tellUsage(error: unknown, command: string): void {
  const isOfArguments = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  if (!(error instanceof UsageError) && !isOfArguments) throw error
  process.stderr.write(`${command}: ${error.message}\n`)
  process.exitCode = 2
}
