import type { EntryList, LayerKind, PolicyLayer, PolicyPath } from '../layer.ts'
import type { ListScope, Profile, ToolScope } from '../settings.ts'
import { BUILT_IN_PROFILES } from './profiles.ts'

export function listLayer(kind: LayerKind, path: PolicyPath, { allow, deny }: ListScope): PolicyLayer {
  return { kind, path, allow: listAt(path, 'allow', allow), deny: listAt(path, 'deny', deny) }
}

/** The same for a caller who names the scope and has nobody to vouch for that. */
export function claimedLayer(layer: PolicyLayer): PolicyLayer {
  return { ...layer, isClaimed: true }
}

interface ProfilePlace {
  readonly kind: LayerKind
  /** Of the scope that names the profile. */
  readonly path: PolicyPath
  readonly profiles: Readonly<Record<string, Profile>>
}

/** The layer of the profile that a scope names, with what the scope adds to it; undefined where it names none. */
export function profileLayer(scope: ToolScope, { kind, path, profiles }: ProfilePlace): PolicyLayer | undefined {
  const name = scope.profile
  if (name === undefined) return undefined
  const layer = {
    kind,
    path: [...path, 'profile'],
    profile: name,
    alsoAllow: listAt(path, 'alsoAllow', scope.alsoAllow),
  }
  const own = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (own !== undefined) {
    const at = ['tools', 'profiles', name]
    const lists = { allow: listAt(at, 'allow', own.allow), deny: listAt(at, 'deny', own.deny) }
    return { ...layer, ...lists, ...(own.annotations && { annotations: own.annotations }) }
  }
  const builtIn = Object.hasOwn(BUILT_IN_PROFILES, name) ? BUILT_IN_PROFILES[name] : undefined
  // A name that no profile has is refused when the configuration is read; were it not, it would allow nothing.
  if (builtIn === undefined) return { ...layer, deny: { path: layer.path, entries: ['*'] } }
  const { allow = [], annotations } = builtIn
  return { ...layer, allow: { path: layer.path, entries: allow }, ...(annotations && { annotations }) }
}

function listAt(path: PolicyPath, key: string, entries: readonly string[]): EntryList {
  return { path: [...path, key], entries }
}
