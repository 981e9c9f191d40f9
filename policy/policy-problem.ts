import type { JsonObject } from '../catalog/json.ts'
import type { PolicyPath } from './layer.ts'

export interface PolicyProblem {
  readonly path: PolicyPath
  readonly message: string
}

export interface PolicyProblemDeps {
  /** Why a schema of a rule cannot be enforced, or undefined. */
  readonly schemaFault: (when: JsonObject) => string | undefined
  /** Plugins and MCP servers that the configuration names. */
  readonly owners: readonly string[]
  readonly nearestName: (given: string, names: readonly string[]) => string | undefined
}
