import type { Gateway } from '../build-gateway.ts'
import type { ConfigPaths } from '../config/config-paths.ts'
import type { ValidConfig } from '../config/config-watch.ts'
import { watchConfig } from '../config/config-watch.ts'
import { formatPath } from '../config/document/config-path.ts'
import type { FetchSecret } from '../config/secrets/secret-source.ts'
import { SECRET_LOOK_MS } from './limits.ts'
import { createSecretRenewal } from './secret-renewal.ts'

export interface Watching {
  readonly current: ValidConfig
  readonly paths: ConfigPaths
  readonly env: Readonly<Record<string, string | undefined>>
  /** Gives what `current` was read without. */
  readonly fetchSecret: FetchSecret
}

/** Applies valid edits while serving; an invalid one is reported, and the last good configuration stays. */
export function watchApplied(gateway: Gateway, { current, paths, env, fetchSecret }: Watching): { close(): void } {
  let { fetchedFor } = current
  const watch = watchConfig({
    paths,
    env,
    current,
    fetchSecret,
    onChange({ loaded, changed, restart }) {
      fetchedFor = loaded.fetchedFor
      gateway.log.info({ changed: changed.map(formatPath), restart: restart.map(formatPath) }, 'configuration changed')
      if (restart.length > 0) gateway.log.warn(`restart to apply ${restart.map(formatPath).join(', ')}`)
      gateway
        .apply(loaded)
        .catch((error: unknown) => gateway.log.error({ err: error }, 'configuration was not applied'))
    },
    onRead({ source, hash }, verdict) {
      const config = { verdict, ...(source !== undefined && { file: source }), ...(hash !== undefined && { hash }) }
      gateway.state
        .announceConfig(config)
        .catch((error: unknown) => gateway.log.warn({ err: error }, 'commands cannot be told of the configuration'))
    },
    onInvalid({ problems, source }) {
      // Not as one text: after "headers.authorization: " the log would take the message itself for a credential.
      const parts = problems.map(({ path, message, position }) => ({ path: formatPath(path), message, ...position }))
      gateway.log.error(
        { file: source, problems: parts },
        'the edited configuration is invalid; the last good one stays in force',
      )
    },
  })
  const renewal = createSecretRenewal({
    servers: () => gateway.sources.mcp.status(),
    fetchedFor: () => fetchedFor,
    fetchAgain: () => watch.again(),
    now: Date.now,
  })
  const looking = setInterval(() => renewal.look(), SECRET_LOOK_MS)
  looking.unref()
  return {
    close() {
      clearInterval(looking)
      watch.close()
    },
  }
}
