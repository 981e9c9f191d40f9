import type { ToolAnnotations } from '../../catalog/tool.ts'

interface BuiltInProfile {
  readonly allow?: readonly string[]
  readonly annotations?: ToolAnnotations
}

/** Profiles that are always there; further ones are made under `tools.profiles`. */
export const BUILT_IN_PROFILES: Readonly<Record<string, BuiltInProfile>> = {
  /** Only what the client brought itself. */
  minimal: { allow: ['group:client'] },
  /** Only tools that say that they change nothing. */
  readonly: { annotations: { readOnlyHint: true } },
  /** Only tools that say that they destroy nothing. */
  nondestructive: { annotations: { destructiveHint: false } },
  /** Everything. */
  full: {},
}
