import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { quote } from '../quote.ts'
import { pointedAt } from '../schema-parts.ts'
import type { ValidationFault } from './validation-fault.ts'

/**
 * `oneOf: [{ required: ['city'] }, { required: ['latitude', 'longitude'] }]`: what has to be given, in words. Undefined
 * where the alternatives differ by more than what they require.
 */
export function requiredChoice(
  fault: ValidationFault,
  value: JsonValue | undefined,
  schema: JsonObject,
): string | undefined {
  const branches = pointedAt(fault.schemaPath, schema)
  if (!isJsonObject(value) || !Array.isArray(branches)) return undefined
  const choices = branches.map((branch: JsonValue) => requiredOf(branch))
  if (choices.length < 2 || choices.some((choice) => choice === undefined)) return undefined
  // Of `oneOf` all that fit are told: then too much was given.
  const isTooMuch = Array.isArray(fault.params['passingSchemas'])
  return isTooMuch ? `only one of ${choices.join(', ')}` : `either ${choices.join(' or ')}`
}

function requiredOf(branch: JsonValue): string | undefined {
  const required = isJsonObject(branch) ? branch['required'] : undefined
  if (!Array.isArray(required) || required.length === 0) return undefined
  const names = required.map((name: JsonValue) => quote(name))
  return names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`
}
