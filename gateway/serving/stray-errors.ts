/** Of `process`. */
interface StrayErrorSource {
  on(event: 'uncaughtException' | 'unhandledRejection', listener: (error: unknown) => void): unknown
  off(event: 'uncaughtException' | 'unhandledRejection', listener: (error: unknown) => void): unknown
}

export interface StrayErrorsDeps {
  readonly source: StrayErrorSource
  readonly pluginAtFault: () => string | undefined
  /** A plugin's: told, and nothing else stops for it. */
  readonly blame: (plugin: string, error: unknown) => void
  /** Our own, or nobody knows whose: what was cut off half-way cannot be trusted to go on. */
  readonly die: (error: unknown) => void
}

/** Takes errors that nobody caught, until the function that it gives is called. */
export function catchStrayErrors({ source, pluginAtFault, blame, die }: StrayErrorsDeps): () => void {
  const take = (error: unknown): void => {
    const plugin = pluginAtFault()
    if (plugin === undefined) die(error)
    else blame(plugin, error)
  }
  source.on('uncaughtException', take)
  source.on('unhandledRejection', take)
  return () => {
    source.off('uncaughtException', take)
    source.off('unhandledRejection', take)
  }
}
