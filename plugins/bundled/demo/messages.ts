import type { PluginApi, Static } from '../../sdk.ts'
import { Type } from '../../sdk.ts'
import type { Collection } from './collection.ts'
import { createCollection } from './collection.ts'
import type { Person } from './people.ts'
import { PersonId } from './people.ts'
import { ADDS, Limit, READS, Timestamp, firstOf } from './schema.ts'

const Channel = Type.Enum(['general', 'engineering', 'finance', 'support'])

const Message = Type.Object({
  id: Type.String({ pattern: '^msg-[0-9]+$' }),
  channel: Channel,
  author_id: PersonId,
  text: Type.String(),
  sent_at: Timestamp,
})

export type Message = Static<typeof Message>

interface Chat {
  readonly messages: Collection<Message>
  readonly people: Collection<Person>
  /** Unix milliseconds. */
  readonly now: () => number
}

export function createMessages(): Collection<Message> {
  return createCollection({ noun: 'message', finder: 'list_messages', idPrefix: 'msg-', seed: MESSAGES })
}

export function registerMessageTools(api: PluginApi, { messages, people, now }: Chat): void {
  api.registerTool({
    name: 'list_messages',
    title: 'List chat messages',
    description: 'The latest messages of a team chat channel, newest first.',
    parameters: Type.Object({ channel: Channel, limit: Limit }, { additionalProperties: false }),
    outputSchema: Type.Object({ messages: Type.Array(Message) }),
    annotations: READS,
    examples: [{ channel: 'support', limit: 5 }],
    execute: ({ channel, limit }) => {
      const ofChannel = messages.all().filter((message) => message.channel === channel)
      return { messages: firstOf(ofChannel.toReversed(), limit) }
    },
  })
  api.registerTool({
    name: 'send_message',
    title: 'Send chat message',
    description: 'Posts a message to a team chat channel in the name of an employee.',
    parameters: Type.Object(
      { channel: Channel, author_id: PersonId, text: Type.String({ minLength: 1, maxLength: 2_000 }) },
      { additionalProperties: false },
    ),
    outputSchema: Message,
    annotations: ADDS,
    examples: [{ channel: 'general', author_id: 'per-11', text: 'Cake in the kitchen at three.' }],
    execute: (args) => {
      people.get(args.author_id)
      return messages.add((id) => ({ id, ...args, sent_at: new Date(now()).toISOString() }))
    },
  })
}

const MESSAGES: readonly Message[] = [
  {
    id: 'msg-1',
    channel: 'general',
    author_id: 'per-11',
    text: 'Winter party is on 11 December, both offices.',
    sent_at: '2026-11-23T08:10:00Z',
  },
  {
    id: 'msg-2',
    channel: 'support',
    author_id: 'per-10',
    text: 'Halvorsen again: importer stops at row 212, I keep the file.',
    sent_at: '2026-11-26T08:02:00Z',
  },
  {
    id: 'msg-3',
    channel: 'engineering',
    author_id: 'per-6',
    text: 'Row 212 has "nm" where we expect "m". Fix is in review.',
    sent_at: '2026-11-26T10:44:00Z',
  },
  {
    id: 'msg-4',
    channel: 'finance',
    author_id: 'per-8',
    text: 'inv-1002 is three weeks late, shall I write to them?',
    sent_at: '2026-11-27T09:31:00Z',
  },
]
