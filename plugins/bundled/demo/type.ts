import type { Type as TypeBox } from '../../sdk.ts'

type Words = Pick<typeof TypeBox, 'Array' | 'Enum' | 'Integer' | 'Object' | 'Optional' | 'String'>

/**
 * The words of TypeBox that this plugin needs, with its types and for schemas that are the same byte for byte. Plugins of
 * others have TypeBox itself; this one is part of most gateways, and those seven hundred files were a tenth of each start.
 */
export const Type = words()

// An overload: TypeBox's types name what it hides in its schemas, which only TypeBox itself looks for.
function words(): Words
function words(): object {
  return {
    String: (keywords: object = {}) => ({ type: 'string', ...keywords }),
    Integer: (keywords: object = {}) => ({ type: 'integer', ...keywords }),
    Enum: (values: readonly string[], keywords: object = {}) => ({ enum: values, ...keywords }),
    Array: (items: object, keywords: object = {}) => ({ type: 'array', items, ...keywords }),
    Optional: (optional: object) => ({ optional }),
    Object: objectOf,
  }
}

function objectOf(fields: Readonly<Record<string, object>>, keywords: object = {}): object {
  const entries = Object.entries(fields)
  const required = entries.flatMap(([name, field]) => ('optional' in field ? [] : [name]))
  const properties = entries.map(([name, field]) => [name, 'optional' in field ? field.optional : field])
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(properties),
    ...keywords,
  }
}
