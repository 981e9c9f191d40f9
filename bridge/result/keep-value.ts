import type { Caller } from '../../catalog/caller.ts'
import type { JsonValue } from '../../catalog/json.ts'
import type { ArtifactStore } from '../artifacts.ts'
import type { Artifact } from '../run.ts'
import { previewOf } from './json-room.ts'

export interface KeepValueDeps {
  readonly artifacts: Pick<ArtifactStore, 'put'>
  /** Told of a value that could not be kept. */
  readonly warn: (message: string, error: unknown) => void
}

export type KeptValue =
  | { readonly kind: 'whole' }
  /** It is too large, and lies as this artifact. */
  | { readonly kind: 'kept'; readonly artifact: Artifact }
  /** It is too large and could not be kept; its first part, which says so, stands in its place. */
  | { readonly kind: 'cut'; readonly value: JsonValue }

/**
 * Puts a value that takes more than so many bytes aside as an artifact. What was called to make it has happened: a disk
 * that is full costs the end of the value, and not all of it together with the run.
 */
export async function keepValue(
  value: JsonValue,
  { caller, maxBytes }: { readonly caller: Caller; readonly maxBytes: number },
  { artifacts, warn }: KeepValueDeps,
): Promise<KeptValue> {
  const isText = typeof value === 'string'
  const text = isText ? value : JSON.stringify(value)
  if (Buffer.byteLength(text) <= maxBytes) return { kind: 'whole' }
  try {
    const artifact = await artifacts.put(caller, { text, mimeType: isText ? 'text/plain' : 'application/json' })
    return { kind: 'kept', artifact }
  } catch (error) {
    warn('a value that is too large was cut, since it could not be kept as an artifact', error)
    return { kind: 'cut', value: previewOf(value, maxBytes) }
  }
}
