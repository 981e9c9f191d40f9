import type { Logger } from 'pino'
import type { DiskArtifacts } from './disk-artifacts.ts'
import { ARTIFACTS_LOOK_MS } from './limits.ts'

interface KeepDeps {
  readonly artifacts: Pick<DiskArtifacts, 'expire'>
  readonly log: Logger
  readonly now: () => number
}

const DAY_MS = 86_400_000

/** Removes artifacts when their time is over: now, and every hour. */
export function keepArtifactsFor(days: () => number, { artifacts, log, now }: KeepDeps): { readonly stop: () => void } {
  const expire = (): void => {
    artifacts.expire(now() - days() * DAY_MS).catch((error: unknown) => {
      log.error({ err: error }, 'old artifacts could not be removed')
    })
  }
  expire()
  const timer = setInterval(expire, ARTIFACTS_LOOK_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
