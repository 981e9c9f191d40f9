import type { LayerKind, PolicyLayer, PolicyPath } from '../layer.ts'
import type { PolicyCaller } from '../policy-caller.ts'
import type { AgentScope, Profile, ToolScope } from '../settings.ts'
import { listLayer, profileLayer } from './make-layer.ts'

/** The layers of a scope that may differ by provider and by model. */
export interface ScopeBook {
  layersOf(caller: PolicyCaller): readonly PolicyLayer[]
}

export interface ScopePlace {
  readonly path: PolicyPath
  readonly kinds: Readonly<Record<'profile' | 'providerProfile' | 'lists' | 'providerLists', LayerKind>>
  readonly profiles: Readonly<Record<string, Profile>>
}

/** Profiles first, those by provider after the general one, then the lists in the same order. */
export function createScopeBook(scope: AgentScope, { path, kinds, profiles }: ScopePlace): ScopeBook {
  const own = pairOf(scope, { path, kinds: [kinds.profile, kinds.lists], profiles })
  const byProvider = new Map(
    Object.entries(scope.byProvider).map(([name, inner]) => {
      const place = { path: [...path, 'byProvider', name], profiles }
      const pair = pairOf(inner, { ...place, kinds: [kinds.providerProfile, kinds.providerLists] })
      return [name.toLowerCase(), pair]
    }),
  )
  return {
    layersOf({ provider, model }) {
      const keys = provider === undefined ? [] : [provider, ...(model === undefined ? [] : [`${provider}/${model}`])]
      const pairs = [own, ...keys.flatMap((key) => byProvider.get(key.toLowerCase()) ?? [])]
      return [...pairs.flatMap(({ profile }) => profile ?? []), ...pairs.map(({ lists }) => lists)]
    },
  }
}

interface Pair {
  readonly profile: PolicyLayer | undefined
  readonly lists: PolicyLayer
}

interface PairPlace {
  readonly path: PolicyPath
  readonly kinds: readonly [LayerKind, LayerKind]
  readonly profiles: Readonly<Record<string, Profile>>
}

function pairOf(scope: ToolScope, { path, kinds: [profileKind, listKind], profiles }: PairPlace): Pair {
  return {
    profile: profileLayer(scope, { kind: profileKind, path, profiles }),
    lists: listLayer(listKind, path, scope),
  }
}
