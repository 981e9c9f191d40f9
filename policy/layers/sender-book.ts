import type { PolicyLayer } from '../layer.ts'
import type { PolicyCaller } from '../policy-caller.ts'
import type { ListScope } from '../settings.ts'
import { claimedLayer, listLayer } from './make-layer.ts'

export interface SenderBook {
  layersOf(caller: PolicyCaller): readonly PolicyLayer[]
}

/**
 * `channel:<id>:<sender>` before `id:<sender>` before `username:<name>` before `*`, and the first of them alone. The last
 * holds for everyone whom no other names, also where no sender is given: leaving a header out must not widen anything.
 * Where nobody vouches for the sender all that name it hold, and `*` with them: no header takes back what another, or
 * none, would have narrowed.
 */
export function createSenderBook(scopes: Readonly<Record<string, ListScope>>): SenderBook {
  const layers = new Map(
    Object.entries(scopes).map(([key, lists]) => {
      const vouched = listLayer('sender', ['tools', 'toolsBySender', key], lists)
      return [readSenderKey(key), { vouched, claimed: claimedLayer(vouched) }]
    }),
  )
  const others = layers.get('*')?.vouched
  const ofOthers = others === undefined ? [] : [others]
  return {
    layersOf(caller) {
      const named = keysOf(caller).flatMap((key) => layers.get(key) ?? [])
      if (caller.isVouched !== true) return [...ofOthers, ...named.map(({ claimed }) => claimed)]
      const [own] = named
      return own === undefined ? ofOthers : [own.vouched]
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

/** Where a channel has one text for its senders, it stands for both id and name; of a claim it always may. */
function keysOf({ channel, sender, senderName, isVouched }: PolicyCaller): readonly string[] {
  const isName = sender !== undefined && (senderName === undefined || isVouched !== true)
  const names = new Set([...(senderName === undefined ? [] : [senderName]), ...(isName ? [sender] : [])].map(plainName))
  return [
    ...(channel !== undefined && sender !== undefined ? [`channel:${channel.toLowerCase()}:${sender}`] : []),
    ...(sender === undefined ? [] : [`id:${sender}`]),
    ...[...names].map((name) => `username:${name}`),
  ]
}

function plainName(name: string): string {
  return name.replace(/^@/, '').toLowerCase()
}

function splitOnce(text: string): readonly [string, string] {
  const colon = text.indexOf(':')
  return colon === -1 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)]
}
