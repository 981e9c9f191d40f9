/** The message of whatever a stranger's code threw. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
