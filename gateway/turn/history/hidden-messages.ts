import type { ChatMessage } from '../../providers/provider.ts'
import type { Store } from '../../store/store.ts'
import { HIDDEN_MESSAGES_MAX_BYTES } from '../limits.ts'
import type { HiddenMessages } from '../turn.ts'

export interface HiddenMessagesDeps {
  readonly store: Pick<Store, 'getValue' | 'setValue'>
  /** Messages are kept whole to go on, so they lie sealed: no redaction can be undone. */
  readonly seal: (text: string) => string
  /** @throws when the text was not sealed here */
  readonly open: (sealed: string) => string
}

/** Hidden messages in the store, those of each turn under a key that is a value space of its own. */
export function createHiddenMessages(deps: HiddenMessagesDeps): HiddenMessages {
  return {
    async put(tenant, key, messages) {
      const value = deps.seal(JSON.stringify(messages))
      const entry = { tenant, session: spaceOf(key), key: 'messages', value }
      const { stored } = await deps.store.setValue(entry, HIDDEN_MESSAGES_MAX_BYTES)
      if (!stored) throw new Error(`the turn's hidden messages are larger than ${HIDDEN_MESSAGES_MAX_BYTES} bytes`)
    },
    async get(tenant, key) {
      const value = await deps.store.getValue(tenant, spaceOf(key), 'messages')
      return typeof value === 'string' ? readMessages(deps.open(value)) : undefined
    },
  }
}

/** Beginning of the value space of every such key. It stands in stores, and so keeps its first name. */
export const HIDDEN_MESSAGES_SPACE = 'parked-turn:'

function spaceOf(key: string): string {
  return `${HIDDEN_MESSAGES_SPACE}${key}`
}

/** We wrote it and it was sealed, so its shape is ours. */
function readMessages(text: string): readonly ChatMessage[] {
  return JSON.parse(text)
}
