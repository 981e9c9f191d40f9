import { describeError } from '../describe-error.ts'
import { STRAY_ERRORS_MS, STRAY_ERRORS_SAID } from '../limits.ts'
import type { PluginLog } from '../sdk.ts'
import type { PluginProblem } from './plugin-problems.ts'

/** What plugins threw where nobody could catch it, the last of each. */
export interface StrayErrors {
  /** By the plugin's id, or its path while it is imported. */
  add(plugin: string, error: unknown): void
  /** The plugin is new, or gone. */
  forget(plugin: Place): void
  of(plugin: Place): readonly PluginProblem[]
}

type Place = Pick<PluginProblem, 'owner' | 'path'>

interface StrayErrorsDeps {
  readonly logFor: (plugin: string) => PluginLog
  readonly now: () => number
}

interface Stray {
  readonly reason: string
  /** When the first of this stretch of time came, how many of it were said, and how many were not. */
  readonly sinceMs: number
  readonly said: number
  readonly more: number
}

export function createStrayErrors({ logFor, now }: StrayErrorsDeps): StrayErrors {
  const strays = new Map<string, Stray>()
  return {
    add(plugin, error) {
      const [reason, sinceMs, last] = [reasonOf(error), now(), strays.get(plugin)]
      const isSame = last !== undefined && sinceMs - last.sinceMs < STRAY_ERRORS_MS
      if (isSame && last.said === STRAY_ERRORS_SAID) {
        strays.set(plugin, { ...last, reason, more: last.more + 1 })
        return
      }
      const before = last === undefined || last.more === 0 ? '' : ` (and ${last.more} before it)`
      logFor(plugin).error(`${reason}${before}`)
      strays.set(plugin, isSame ? { ...last, reason, said: last.said + 1 } : { reason, sinceMs, said: 1, more: 0 })
    },
    forget: (plugin) => namesOf(plugin).forEach((name) => strays.delete(name)),
    of: ({ owner, path }) =>
      namesOf({ owner, path }).flatMap((plugin) => {
        const stray = strays.get(plugin)
        return stray === undefined ? [] : [{ owner, path, reason: stray.reason }]
      }),
  }
}

function namesOf({ owner, path }: Place): readonly string[] {
  return [...new Set([owner, path])]
}

/** With the first place of its stack: who reads it has nothing else to go by. */
function reasonOf(error: unknown): string {
  const place = error instanceof Error ? /\n\s+at (.+)/.exec(error.stack ?? '')?.[1] : undefined
  const at = place === undefined ? '' : ` (at ${place})`
  return `it threw where nobody could catch it: ${describeError(error)}${at}; await the promise, or catch what a timer or an event does`
}
