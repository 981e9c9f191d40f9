import type { JsonObject } from '../../../catalog/json.ts'
import { ENVELOPE_MAX_LENGTH, ENVELOPES_MAX } from '../limits.ts'

/** What clients have said of themselves and the SDK has let through: it alone judges, this only remembers. */
export interface KnownEnvelopes {
  has(envelope: JsonObject): boolean
  add(envelope: JsonObject): void
}

export function createKnownEnvelopes(): KnownEnvelopes {
  const known = new Set<string>()
  return {
    has: (envelope) => known.has(JSON.stringify(envelope)),
    add(envelope) {
      const text = JSON.stringify(envelope)
      if (text.length > ENVELOPE_MAX_LENGTH) return
      known.add(text)
      if (known.size <= ENVELOPES_MAX) return
      const [oldest] = known
      if (oldest !== undefined) known.delete(oldest)
    },
  }
}
