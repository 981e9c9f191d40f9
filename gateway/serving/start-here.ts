import type { ConfigPaths } from '../config/config-paths.ts'
import { formatProblem } from '../config/config-problem.ts'
import { SERVER_SECRET_WAIT_MS } from '../config/limits.ts'
import { loadConfig } from '../config/load-config.ts'
import { createPatientSecrets } from '../config/secrets/patient-secrets.ts'
import { StateError } from '../state/errors.ts'
import type { Served } from './serve.ts'
import { serve } from './serve.ts'
import { ListenError } from './serve-address.ts'
import { watchApplied } from './watch-applied.ts'

export interface StartHereOptions {
  readonly paths: ConfigPaths
  readonly env: Readonly<Record<string, string | undefined>>
  readonly importModule: (url: string) => Promise<unknown>
  readonly stderr: { readonly write: (line: string) => unknown }
  readonly version: string
}

export interface StartedHere {
  readonly kind: 'started'
  close(): Promise<void>
}

export type StartHere =
  | StartedHere
  /** Another holds the state directory, and comes to listen itself. */
  | { readonly kind: 'held' }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] }

/** A gateway in this process, beside what else it does. */
export async function startHere(options: StartHereOptions): Promise<StartHere> {
  const { paths, env } = options
  const secrets = createPatientSecrets(SERVER_SECRET_WAIT_MS)
  const loaded = await loadConfig(paths, env, secrets.early)
  if (loaded.kind === 'invalid')
    return { kind: 'invalid', problems: loaded.problems.map((problem) => formatProblem(problem, loaded.source)) }
  const environmentToken = env['DRAWBRIDGE_TOKEN'] || undefined
  const serveAt = (port?: number): Promise<Served> =>
    serve({ ...options, config: loaded, configFile: loaded.source, environmentToken, port })
  try {
    // Another program may have the usual port; whoever asks this gateway finds its address in the state directory.
    const served = await serveAt().catch((error: unknown) => {
      if (error instanceof ListenError && error.code === 'address-in-use') return serveAt(0)
      throw error
    })
    const watch = watchApplied(served.gateway, { current: loaded, paths, env, fetchSecret: secrets.whole })
    return {
      kind: 'started',
      async close() {
        watch.close()
        await served.close()
      },
    }
  } catch (error) {
    if (error instanceof StateError && error.code === 'state-directory-in-use') return { kind: 'held' }
    throw error
  }
}
