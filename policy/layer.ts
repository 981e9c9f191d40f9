/** One allow/deny scope. Layers only narrow: a tool must pass every one of them. */
export interface PolicyLayer {
  /** Where it stands in the configuration, e.g. `tools` or `agents.support.tools`; named in explanations. */
  readonly name: string
  /** Patterns over tool ids and names. Absent or empty: everything; otherwise nothing but what matches. */
  readonly allow?: readonly string[]
  /** Patterns over tool ids and names; deny wins over allow. */
  readonly deny?: readonly string[]
}
