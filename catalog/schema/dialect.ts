import type { JsonObject } from '../json.ts'

/** How `items`, `dependencies` and newer keywords are read. Everything that is not an older draft is `2020-12`. */
export type Dialect = '2020-12' | 'draft-07'

/** 2019-09 and drafts 3 to 7 share the array form of `items`; 2019-09 has the newer keywords and is read as 2020-12. */
export function dialectOf(schema: JsonObject): Dialect {
  const declared = schema['$schema']
  if (typeof declared !== 'string') return '2020-12'
  return /^https?:\/\/json-schema\.org\/draft-0[3-7]\/schema#?$/.test(declared) ? 'draft-07' : '2020-12'
}
