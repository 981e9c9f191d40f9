import { LIMIT_CEILINGS } from '../limits.ts'
import type { ProgramLimits } from '../program-host.ts'

/** Nothing that configuration or a caller asks for goes beyond the ceilings. */
export function clampLimits(limits: ProgramLimits): ProgramLimits {
  return {
    cpuMs: Math.min(limits.cpuMs, LIMIT_CEILINGS.cpuMs),
    wallMs: Math.min(limits.wallMs, LIMIT_CEILINGS.wallMs),
    memoryMb: Math.min(limits.memoryMb, LIMIT_CEILINGS.memoryMb),
    calls: Math.min(limits.calls, LIMIT_CEILINGS.calls),
    callsInFlight: Math.min(limits.callsInFlight, LIMIT_CEILINGS.callsInFlight),
    argumentBytes: Math.min(limits.argumentBytes, LIMIT_CEILINGS.argumentBytes),
    resultIntoIsolateBytes: Math.min(limits.resultIntoIsolateBytes, LIMIT_CEILINGS.resultIntoIsolateBytes),
    outputBytes: Math.min(limits.outputBytes, LIMIT_CEILINGS.outputBytes),
    logBytes: Math.min(limits.logBytes, LIMIT_CEILINGS.logBytes),
  }
}
