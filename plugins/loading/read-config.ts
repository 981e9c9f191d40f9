import { copyJson } from '../../catalog/copy-json.ts'
import type { JsonObject } from '../../catalog/json.ts'
import { hashJson, isJsonObject } from '../../catalog/json.ts'
import type { SchemaChecker, SchemaError } from '../../catalog/schema.ts'

type ConfigReading =
  | { readonly kind: 'read'; readonly config: JsonObject }
  | { readonly kind: 'broken'; readonly reason: string }

/** A plugin's configuration with the defaults of its schema, or what is wrong with either. */
export function readConfig(
  declared: { readonly id: string; readonly configSchema?: unknown },
  given: Readonly<Record<string, unknown>> = {},
  schemas: Pick<SchemaChecker, 'inspect' | 'validate'>,
): ConfigReading {
  const config = copyObject(given) ?? {}
  if (declared.configSchema === undefined) return { kind: 'read', config }
  const schema = copyObject(declared.configSchema)
  if (schema === undefined) return { kind: 'broken', reason: 'its "configSchema" is not JSON' }
  const verdict = schemas.inspect(schema)
  if (verdict.kind === 'quarantined') {
    return { kind: 'broken', reason: `its "configSchema" cannot be used: ${verdict.reason}` }
  }
  const result = schemas.validate(schema, hashJson(schema), config)
  if (result.kind === 'valid' && isJsonObject(result.value)) return { kind: 'read', config: result.value }
  const errors = result.kind === 'valid' ? [] : result.errors
  const faults = errors.map((error) => `plugins.entries.${declared.id}.config${describe(error)}`)
  return { kind: 'broken', reason: faults.join('; ') }
}

/** `/units must be equal to one of the allowed values: ["metric"]`. */
function describe({ instancePath, message, params }: SchemaError): string {
  const detail = params['allowedValues'] ?? params['additionalProperty']
  return `${instancePath} ${message}${detail === undefined ? '' : `: ${JSON.stringify(detail)}`}`
}

/** Of its own, with no way back into the configuration. */
function copyObject(value: unknown): JsonObject | undefined {
  const copy = copyJson(value)
  return isJsonObject(copy) ? copy : undefined
}
