import type { JournalEvent, ProgramLimits } from '../isolate/program-host.ts'

/** All that a program's course depends on. */
export interface RunRecording {
  readonly source: string
  readonly seed: number
  readonly startMs: number
  readonly limits: ProgramLimits
  readonly events: readonly JournalEvent[]
}
