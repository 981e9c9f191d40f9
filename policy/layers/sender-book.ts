import type { PolicyLayer } from '../layer.ts'
import type { PolicyCaller } from '../policy-caller.ts'
import type { ListScope } from '../settings.ts'
import { listLayer } from './make-layer.ts'

export interface SenderBook {
  /** One layer at most: that of the entry which names the sender most exactly. */
  layersOf(caller: PolicyCaller): readonly PolicyLayer[]
}

/**
 * `channel:<id>:<sender>` before `id:<sender>` before `username:<name>` before `*`. The last holds for everyone whom no
 * other names, also where no sender is given: leaving a header out must not widen anything.
 */
export function createSenderBook(scopes: Readonly<Record<string, ListScope>>): SenderBook {
  const layers = new Map(
    Object.entries(scopes).map(([key, lists]) => [
      readSenderKey(key),
      listLayer('sender', ['tools', 'toolsBySender', key], lists),
    ]),
  )
  return {
    layersOf(caller) {
      for (const key of keysOf(caller)) {
        const layer = layers.get(key)
        if (layer !== undefined) return [layer]
      }
      return []
    },
  }
}

/** Ids are taken as they are, since two may differ by case alone; channels and names are not. */
function readSenderKey(key: string): string {
  const [kind, rest] = splitOnce(key)
  if (kind === 'channel') {
    const [channel, sender] = splitOnce(rest)
    return `channel:${channel.toLowerCase()}:${sender}`
  }
  return kind === 'username' ? `username:${plainName(rest)}` : key
}

/** Where a channel has one text for its senders, it stands for both id and name. */
function keysOf({ channel, sender, senderName = sender }: PolicyCaller): readonly string[] {
  return [
    ...(channel !== undefined && sender !== undefined ? [`channel:${channel.toLowerCase()}:${sender}`] : []),
    ...(sender === undefined ? [] : [`id:${sender}`]),
    ...(senderName === undefined ? [] : [`username:${plainName(senderName)}`]),
    '*',
  ]
}

function plainName(name: string): string {
  return name.replace(/^@/, '').toLowerCase()
}

function splitOnce(text: string): readonly [string, string] {
  const colon = text.indexOf(':')
  return colon === -1 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)]
}
