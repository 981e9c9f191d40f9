import type { JsonValue } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import type { SchemaPlace } from '../../catalog/schema-part.ts'
import { DESCRIBE_IDS_MAX } from '../limits.ts'

/** What a program, a model or an HTTP client wants described, read from hostile JSON; each id is judged by itself. */
export type DescribeRequest =
  | {
      readonly kind: 'describe'
      readonly ids: readonly JsonValue[]
      /** Answered by a list, also of one. */
      readonly isList: boolean
      /** Where only a part of the schema is wanted. */
      readonly place: SchemaPlace | undefined
    }
  | { readonly kind: 'problem'; readonly message: string }

/** Reads one id or a list of ids, with `{ of?, path }`. */
export function readDescribeRequest(ids: JsonValue, options: JsonValue): DescribeRequest {
  const place = readPlace(options)
  if (typeof place === 'string') return { kind: 'problem', message: place }
  const isList = Array.isArray(ids)
  const list = isList ? ids : [ids]
  if (list.length === 0 || list.length > DESCRIBE_IDS_MAX) {
    return { kind: 'problem', message: `describe wants 1 to ${DESCRIBE_IDS_MAX} ids, got ${list.length}` }
  }
  return { kind: 'describe', ids: list, isList, place }
}

/** Undefined for the whole description, or the fault in words. */
function readPlace(options: JsonValue): SchemaPlace | string | undefined {
  if (!isJsonObject(options) || (options['path'] === undefined && options['of'] === undefined)) return undefined
  const { of = 'input', path = '' } = options
  if (of !== 'input' && of !== 'output') return '"of" is "input" or "output"'
  if (typeof path !== 'string') return '"path" is a JSON pointer into the schema, e.g. "/properties"'
  return { of, path }
}
