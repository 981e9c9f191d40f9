import type { Caller } from '../catalog/caller.ts'
import type { Artifact } from './run.ts'

export interface NewArtifact {
  readonly text: string
  readonly mimeType: string
}

/** Keeps what is too large to hand over whole; the gateway implements it on disk, apart for each tenant. */
export interface ArtifactStore {
  put(caller: Caller, artifact: NewArtifact): Promise<Artifact>
}
