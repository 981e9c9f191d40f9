import type { Fields } from '../../schema/type.ts'
import { Type } from '../../schema/type.ts'

/** A part of the configuration that is there even when the file does not mention it. */
export function section<Properties extends Fields>(description: string, properties: Properties) {
  return Type.Object(properties, { additionalProperties: false, default: {}, description })
}

/** A name that people give: it stands in ids, addresses, logs and dotted paths. */
export function name() {
  return Type.String({ pattern: '^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$' })
}

/** A list of tool ids or names with `*`. */
export function names(description: string) {
  return Type.Array(Type.String({ minLength: 1 }), { default: [], description })
}

export function httpUrl(description: string) {
  return Type.String({
    pattern: '^https?://[^\\s/]+',
    'x-expected': 'an http:// or https:// address',
    description,
  })
}

/** Request headers by name. */
export function headers() {
  const headerName = Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" })
  return Type.Record(
    headerName,
    Type.String({ description: 'What is sent; `${NAME}`, `{ file }` and `{ command }` too.' }),
    {
      additionalProperties: false,
      default: {},
      'x-secret': 'fields',
      description: 'Request headers.',
    },
  )
}
