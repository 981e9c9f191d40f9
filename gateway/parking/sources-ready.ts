import type { SourceStatus } from '../../catalog/source.ts'
import { SOURCES_LOOK_MS, SOURCES_START_MS } from './limits.ts'

export interface SourcesReadyDeps {
  /** Resolves when every plugin is registered or reported. */
  readonly pluginsSettled: () => Promise<void>
  readonly statuses: () => readonly SourceStatus[]
  readonly closing: AbortSignal
  /** Milliseconds that only ever grow, whatever becomes of the machine's clock; default those of `performance`. */
  readonly elapsedMs?: () => number
}

/**
 * Waits, after a start, until plugins and servers had their time: a call that waited must not be refused because its tool
 * is still being loaded, nor be made before the plugin that guards it is there. Later it resolves at once.
 */
export function createSourcesReady(deps: SourcesReadyDeps): () => Promise<void> {
  const { statuses, closing, elapsedMs = () => performance.now() } = deps
  const startedMs = elapsedMs()
  const isLate = (): boolean => closing.aborted || elapsedMs() - startedMs >= SOURCES_START_MS
  return async () => {
    // Each has its own bound there.
    await deps.pluginsSettled()
    while (!isLate() && statuses().some(({ state }) => state.kind === 'connecting')) {
      await new Promise((resolve) => {
        setTimeout(resolve, SOURCES_LOOK_MS)
      })
    }
  }
}
