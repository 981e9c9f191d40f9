import { setTimeout as pause } from 'node:timers/promises'
import type { FetchedSecret, FetchSecret, SecretSource } from './secret-source.ts'
import { fetchSecret } from './secret-source.ts'

/** Two readings of one configuration, of which the second has each secret that the first did not wait for. */
export interface PatientSecrets {
  /** Waits a moment for what a single MCP server needs, and for all else to its end. */
  readonly early: FetchSecret
  /** Waits for everything; a command that the first reading began is not run again, as it may ask a person. */
  readonly whole: FetchSecret
}

/** A password manager that waits for a finger must not keep the gateway and all other servers from starting. */
export function createPatientSecrets(waitMs: number): PatientSecrets {
  const begun = new Map<string, Promise<FetchedSecret>>()
  const whole: FetchSecret = (source, directory) => {
    const key = JSON.stringify([source, directory])
    const fetching = begun.get(key) ?? fetchSecret(source, directory)
    begun.set(key, fetching)
    return fetching
  }
  return {
    whole,
    early(source, directory, path) {
      const fetching = whole(source, directory, path)
      const [section, part] = path
      return section === 'mcp' && part === 'servers' ? inTime(fetching, source, waitMs) : fetching
    },
  }
}

async function inTime(fetching: Promise<FetchedSecret>, source: SecretSource, waitMs: number): Promise<FetchedSecret> {
  const done = new AbortController()
  const message = `secret ${source.kind} "${source.kind === 'file' ? source.file : source.command[0]}" has given nothing yet`
  const late = pause(waitMs, { kind: 'failed' as const, message }, { signal: done.signal })
  try {
    return await Promise.race([fetching, late])
  } finally {
    late.catch(() => {
      // Not waited for any more.
    })
    done.abort()
  }
}
