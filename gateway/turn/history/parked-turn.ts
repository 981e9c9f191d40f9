import { randomBytes } from 'node:crypto'
import type { ChatMessage } from '../../providers/provider.ts'
import type { Store } from '../../store/store.ts'
import { PARKED_TURN_MAX_BYTES } from '../limits.ts'
import type { ParkedTurns } from '../turn.ts'

export interface ParkedTurnsDeps {
  readonly store: Pick<Store, 'getValue' | 'setValue'>
  /** Messages are kept whole to go on, so they lie sealed: no redaction can be undone. */
  readonly seal: (text: string) => string
  /** @throws when the text was not sealed here */
  readonly open: (sealed: string) => string
}

/** Parked turns in the store, each under a key that is a value space of its own. */
export function createParkedTurns(deps: ParkedTurnsDeps): ParkedTurns {
  return {
    async put(tenant, key, messages) {
      const value = deps.seal(JSON.stringify(messages))
      const entry = { tenant, session: spaceOf(key), key: 'messages', value }
      const { stored } = await deps.store.setValue(entry, PARKED_TURN_MAX_BYTES)
      if (!stored) throw new Error(`the turn's hidden messages are larger than ${PARKED_TURN_MAX_BYTES} bytes`)
    },
    async get(tenant, key) {
      const value = await deps.store.getValue(tenant, spaceOf(key), 'messages')
      return typeof value === 'string' ? readMessages(deps.open(value)) : undefined
    },
  }
}

/** Ids of calls that go to a client: at most 40 characters, as OpenAI wants them back. */
export function createCallIds(): { readonly key: string; readonly next: () => string } {
  const key = randomBytes(12).toString('hex')
  let count = 0
  return {
    key,
    next: () => {
      count += 1
      return `call_${key}_${count}`
    },
  }
}

/** The key of the parked turn in an id that a client sent back; undefined for ids that are not ours. */
export function parkedKeyOf(callId: string): string | undefined {
  return /^call_([0-9a-f]{24})_\d{1,5}$/.exec(callId)?.[1]
}

/** Beginning of the value space of every parked turn. */
export const PARKED_TURN_SPACE = 'parked-turn:'

function spaceOf(key: string): string {
  return `${PARKED_TURN_SPACE}${key}`
}

/** We wrote it and it was sealed, so its shape is ours. */
function readMessages(text: string): readonly ChatMessage[] {
  return JSON.parse(text)
}
