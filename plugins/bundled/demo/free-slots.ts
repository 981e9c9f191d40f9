interface Span {
  readonly start: string
  readonly end: string
}

const MINUTE_MS = 60_000
/** Meetings start on the quarter hour. */
const STEP_MS = 15 * MINUTE_MS

export function overlaps(a: Span, b: Span): boolean {
  return Date.parse(a.start) < Date.parse(b.end) && Date.parse(b.start) < Date.parse(a.end)
}

/** The stretches of the working day (08:00 to 17:00 UTC) that nothing takes and that are long enough. */
export function findFreeSlots(wanted: {
  readonly day: string
  readonly minutes: number
  readonly busy: readonly Span[]
}): readonly Span[] {
  const dayEndMs = Date.parse(`${wanted.day}T17:00:00Z`)
  const slots: Span[] = []
  let freeFromMs = Date.parse(`${wanted.day}T08:00:00Z`)
  const addUntil = (endMs: number): void => {
    const startMs = Math.ceil(freeFromMs / STEP_MS) * STEP_MS
    if (endMs - startMs < wanted.minutes * MINUTE_MS) return
    slots.push({ start: format(startMs), end: format(endMs) })
  }
  for (const { start, end } of wanted.busy.toSorted((a, b) => Date.parse(a.start) - Date.parse(b.start))) {
    addUntil(Math.min(Date.parse(start), dayEndMs))
    freeFromMs = Math.max(freeFromMs, Date.parse(end))
  }
  addUntil(dayEndMs)
  return slots
}

function format(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z')
}
