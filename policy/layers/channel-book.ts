import type { PolicyLayer } from '../layer.ts'
import type { PolicyCaller } from '../policy-caller.ts'
import type { ListScope } from '../settings.ts'
import { claimedLayer, listLayer } from './make-layer.ts'

export interface ChannelBook {
  layersOf(caller: PolicyCaller): readonly PolicyLayer[]
}

/**
 * The channel's own lists, else those of `*`. Where nobody vouches for the channel both hold: a claim takes nobody out
 * of "all others".
 */
export function createChannelBook(scopes: Readonly<Record<string, ListScope>>): ChannelBook {
  const layers = new Map(
    Object.entries(scopes).map(([name, lists]) => {
      const layer = listLayer('channel', ['tools', 'byChannel', name], lists)
      return [name.toLowerCase(), { vouched: [layer], claimed: [claimedLayer(layer)] }]
    }),
  )
  const others = layers.get('*')?.vouched ?? []
  return {
    layersOf({ channel, isVouched }) {
      const named = channel === undefined || channel === '*' ? undefined : layers.get(channel.toLowerCase())
      if (named === undefined) return others
      return isVouched === true ? named.vouched : [...others, ...named.claimed]
    },
  }
}
