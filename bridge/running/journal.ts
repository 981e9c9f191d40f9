import type { JournalEvent } from '../isolate/program-host.ts'
import { JOURNAL_MAX_BYTES } from '../limits.ts'

/** Collects what a replay needs, within a bound; a run that outgrows it has no journal. */
export interface Journal {
  readonly record: (event: JournalEvent) => void
  /** Undefined when the bound was passed. */
  events(): readonly JournalEvent[] | undefined
}

export function createJournal(maxBytes: number = JOURNAL_MAX_BYTES): Journal {
  const events: JournalEvent[] = []
  let bytes = 0
  return {
    record(event) {
      bytes += sizeOf(event)
      if (bytes <= maxBytes) events.push(event)
      else events.length = 0
    },
    events: () => (bytes <= maxBytes ? events : undefined),
  }
}

function sizeOf(event: JournalEvent): number {
  switch (event.kind) {
    case 'asked':
      return event.asked.length
    case 'answered':
      return 'json' in event.answer ? event.answer.json.length : 0
    case 'ended':
      return event.message.length
  }
}
