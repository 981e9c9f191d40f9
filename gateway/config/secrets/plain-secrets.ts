import type { JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { isCredentialName, isCredentialValue, MASK } from '../../schema/credential-name.ts'
import type { SchemaNode } from '../../schema/schema-node.ts'
import type { ConfigPath } from '../document/config-path.ts'
import { maskSecrets } from './mask-secrets.ts'

export interface PlainSecret {
  readonly path: ConfigPath
  /** Whether `{ file }` and `{ command }` may stand there too; a part of a list or of an address takes `${NAME}` alone. */
  readonly takesSource: boolean
}

/** Where a configuration holds secrets themselves instead of references to them. */
export function findPlainSecrets(schema: SchemaNode, value: JsonValue): readonly PlainSecret[] {
  return differences(value, maskSecrets(schema, value), [])
}

function differences(raw: JsonValue, masked: JsonValue | undefined, path: ConfigPath): readonly PlainSecret[] {
  if (Array.isArray(raw) && Array.isArray(masked))
    return raw.flatMap((item: JsonValue, index) => differences(item, masked[index], [...path, index]))
  if (isJsonObject(raw) && isJsonObject(masked))
    return Object.entries(raw).flatMap(([key, item]) => differences(item, masked[key], [...path, key]))
  const key = path.at(-1)
  if (raw === masked || !isSecret(raw, key)) return []
  return [{ path, takesSource: masked === MASK && typeof key === 'string' }]
}

/** Of headers and variables all are masked, since one may be secret; a title or a folder is told of as none. */
function isSecret(value: JsonValue, key: string | number | undefined): boolean {
  if (typeof key !== 'string' || typeof value !== 'string') return true
  return isCredentialName(key) || isCredentialValue(value) || value.includes('://')
}
