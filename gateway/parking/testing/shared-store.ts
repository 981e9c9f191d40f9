import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts'
import { createLiveWork } from '../live-work.ts'
import { createSealedWork } from '../sealed-work.ts'
import { createWorkClaims } from '../work-claims.ts'

export const LEASE_MS = 30_000

const PLAIN = { seal: (bytes: Uint8Array) => bytes, open: (bytes: Uint8Array) => bytes }

/** Gateways on one file, each with a store and claims of its own, by one clock, until the test ends. */
export async function aSharedStore() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'drawbridge-shared-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const clock = { nowMs: 1_000 }
  const open = async (owner: string) => {
    const store = await openSqliteStore(path.join(folder, 'shared.db'))
    const closing = new AbortController()
    onTestFinished(async () => {
      closing.abort()
      await store.close()
    })
    const of = { store, owner, closing: closing.signal, now: () => clock.nowMs, onError: () => undefined }
    const claims = createWorkClaims({ ...of, leaseMs: LEASE_MS })
    const live = createLiveWork({ claims, onLeft: () => undefined })
    return { store, claims, live, work: createSealedWork({ store, seal: PLAIN, claims }), closing: closing.signal }
  }
  return { open, clock }
}
