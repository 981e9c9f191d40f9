import type { Caller } from '../catalog/caller.ts'
import type { Artifact } from './run.ts'

export type NewArtifact =
  | { readonly text: string; readonly mimeType: string }
  | { readonly bytes: Uint8Array; readonly mimeType: string }

/** Keeps what is too large to hand over whole; the gateway implements it on disk, apart for each tenant. */
// A type, not an interface, so that the compiler sees it as JSON.
export type ArtifactPart = (
  | { readonly text: string }
  /** Of what is no text: an image, say. */
  | { readonly base64: string; readonly mimeType: string }
) & {
  readonly offset: number
  /** Of the whole artifact. */
  readonly bytes: number
  /** Where the next part begins; absent at the end. */
  readonly nextOffset?: number
}

export interface ArtifactStore {
  put(caller: Caller, artifact: NewArtifact): Promise<Artifact>
  /** At most `maxBytes` from `offset`, of text in whole characters; undefined where this tenant has no such artifact. */
  read(
    caller: Caller,
    id: string,
    range: { readonly offset: number; readonly maxBytes: number },
  ): Promise<ArtifactPart | undefined>
}
