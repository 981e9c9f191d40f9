import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '../../json.ts'
import type { CompiledSchema } from './compiled-schema.ts'
import { compileSchema } from './compiled-schema.ts'
import { inspectSchema } from '../inspection/inspection.ts'
import { toNormalForm } from './normal-form.ts'
import type { SchemaNodes } from '../inspection/schema-node.ts'

export type CachedSchema =
  | {
      readonly kind: 'compiled'
      readonly schema: JsonObject
      readonly nodes: SchemaNodes
      readonly compiled: CompiledSchema
    }
  | { readonly kind: 'unusable'; readonly schema: JsonObject; readonly reason: string }

export interface CompiledCache {
  get(schema: JsonObject, schemaHash: string): CachedSchema
}

/**
 * Compiles at first use and keeps the schemas used last. A hash only finds candidates, because a tool's hash covers its
 * input and its output schema: which one is meant, the schema itself decides.
 */
export function createCompiledCache(maxCount: number): CompiledCache {
  // A map iterates in the order of insertion, and each use inserts anew: the first key is the least recently used.
  const buckets = new Map<string, readonly CachedSchema[]>()
  let count = 0
  return {
    get(schema, schemaHash) {
      const bucket = buckets.get(schemaHash) ?? []
      const known =
        bucket.find((entry) => entry.schema === schema) ??
        bucket.find((entry) => isDeepStrictEqual(entry.schema, schema))
      const entry = known ?? compileEntry(schema)
      if (known === undefined) count += 1
      buckets.delete(schemaHash)
      buckets.set(schemaHash, known === undefined ? [...bucket, entry] : bucket)
      for (const [oldest, entries] of buckets) {
        if (count <= maxCount || oldest === schemaHash) break
        buckets.delete(oldest)
        count -= entries.length
      }
      return entry
    },
  }
}

function compileEntry(schema: JsonObject): CachedSchema {
  const inspection = inspectSchema(schema)
  if (inspection.kind === 'quarantined') return { kind: 'unusable', schema, reason: inspection.problem.reason }
  const form = toNormalForm(schema, inspection.nodes)
  try {
    return { kind: 'compiled', schema, nodes: inspection.nodes, compiled: compileSchema(form) }
  } catch (error) {
    // What inspection lets pass should compile; if ajv disagrees, that costs this tool and no other.
    return { kind: 'unusable', schema, reason: error instanceof Error ? error.message : String(error) }
  }
}
