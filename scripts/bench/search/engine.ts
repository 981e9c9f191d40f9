import type { Tool } from '../../../catalog/tool.ts'

/** A way to order tools for a query, ready to be asked. */
export interface Engine {
  /** Ids, best first. */
  readonly search: (query: string, limit: number) => Promise<readonly string[]> | readonly string[]
}

/** Builds an engine over a catalog. */
export interface EngineMaker {
  readonly name: string
  readonly build: (tools: readonly Tool[]) => Promise<Engine> | Engine
}
