import { statfsSync } from 'node:fs'
import { StoreError } from './errors.ts'
import { ROOM_BYTES, ROOM_LOOK_MS } from './limits.ts'

export interface RoomWatchDeps {
  /** Bytes that may still be written beside the file; undefined where the system does not tell. */
  readonly freeBytes: (file: string) => number | undefined
  readonly nowMs: () => number
}

/**
 * Throws where the disk of the file is so full that what is under way may not be written down any more. It writes nothing, and
 * looks once in a while as long as there is room: it is asked before each call.
 */
export function createRoomWatch(file: string, deps: RoomWatchDeps = REAL): () => void {
  let goodUntilMs = -Infinity
  return () => {
    if (deps.nowMs() < goodUntilMs) return
    const free = deps.freeBytes(file)
    if (free !== undefined && free < ROOM_BYTES)
      throw new StoreError('store-full', `"${file}" can grow by ${free} bytes only: the disk is full`)
    goodUntilMs = deps.nowMs() + ROOM_LOOK_MS
  }
}

const REAL: RoomWatchDeps = { freeBytes: freeBytesOf, nowMs: () => performance.now() }

function freeBytesOf(file: string): number | undefined {
  try {
    const { bavail, bsize, blocks } = statfsSync(file)
    // Some network shares and user-space file systems tell nothing.
    return blocks === 0 ? undefined : bavail * bsize
  } catch {
    // It is the write's turn then to say what is wrong.
    return undefined
  }
}
