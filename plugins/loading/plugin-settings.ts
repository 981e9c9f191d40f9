/** `plugins` of the configuration, its paths made absolute. */
export interface PluginSettings {
  readonly paths: readonly string[]
  readonly entries: Readonly<Record<string, PluginEntry>>
}

interface PluginEntry {
  /** Default true. */
  readonly enabled?: boolean
  /** Without it no call is made. Default false. */
  readonly required?: boolean
  /** JSON. Default `{}`. */
  readonly config?: Readonly<Record<string, unknown>>
}
