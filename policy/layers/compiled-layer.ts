import { matchesAnnotations } from '../annotations.ts'
import type { Entry, EntryIndex } from '../entries/entry-index.ts'
import { createEntryIndex } from '../entries/entry-index.ts'
import type { Groups } from '../entries/groups.ts'
import type { EntryList, PolicyLayer, PolicyPath } from '../layer.ts'
import type { Subject } from '../subject.ts'

/** What one layer says of one tool. */
export type LayerVerdict =
  /** `entry` is what named the tool; absent where the layer lets through what it does not name. */
  | { readonly kind: 'pass'; readonly entry?: Entry }
  | { readonly kind: 'denied'; readonly entry: Entry }
  /** No entry of the allow list names it, or it does not say of itself what the profile wants. */
  | { readonly kind: 'left-out'; readonly why: 'allow' | 'annotations'; readonly path: PolicyPath }

export interface CompiledLayer {
  readonly layer: PolicyLayer
  judge(subject: Subject): LayerVerdict
  /** The entry that denies, whatever would be allowed. */
  denies(subject: Subject): Entry | undefined
}

export function compileLayer(layer: PolicyLayer, groups: Groups): CompiledLayer {
  const index = (list: EntryList | undefined): EntryIndex | undefined =>
    list === undefined || list.entries.length === 0 ? undefined : createEntryIndex(list, groups)
  const [allow, alsoAllow, deny] = [index(layer.allow), index(layer.alsoAllow), index(layer.deny)]
  const { annotations } = layer
  return {
    layer,
    denies: (subject) => deny?.first(subject),
    judge(subject) {
      const denied = deny?.first(subject)
      if (denied !== undefined) return { kind: 'denied', entry: denied }
      const added = alsoAllow?.first(subject)
      if (added !== undefined) return { kind: 'pass', entry: added }
      if (annotations !== undefined && !matchesAnnotations(subject.annotations, annotations)) {
        return { kind: 'left-out', why: 'annotations', path: layer.path }
      }
      if (allow === undefined) return PASS
      const entry = allow.first(subject)
      return entry === undefined
        ? { kind: 'left-out', why: 'allow', path: layer.allow?.path ?? layer.path }
        : { kind: 'pass', entry }
    },
  }
}

const PASS: LayerVerdict = { kind: 'pass' }
