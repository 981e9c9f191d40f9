import type { ProgramLimits } from '../program-host.ts'

/** JSON of what the prelude needs at its start. It counts characters; the gateway counts the bytes again. */
export function programSettings(
  limits: ProgramLimits,
  start: { readonly seed: number; readonly nowMs: number },
): string {
  const { calls, argumentBytes, outputBytes, logBytes } = limits
  return JSON.stringify({
    ...start,
    limits: { calls, argumentChars: argumentBytes, outputChars: outputBytes, logChars: logBytes },
  })
}
