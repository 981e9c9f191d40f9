import type { JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { MASK, isCredentialName, isCredentialValue } from '../../schema/credential-name.ts'
import { childOf } from '../../schema/find-problems.ts'
import type { SchemaNode } from '../../schema/schema-node.ts'
import { hasReference, replaceReferences } from './references.ts'
import { secretSourceOf } from './secret-source.ts'

/** What the file holds, fit to be shown: literal secrets are masked, references are what they are. */
export function maskSecrets(schema: SchemaNode, value: JsonValue): JsonValue {
  return mask({ node: schema, value, isSecret: false, isByName: false })
}

interface Place {
  readonly node: SchemaNode
  readonly value: JsonValue
  readonly isSecret: boolean
  readonly isByName: boolean
}

function mask(place: Place): JsonValue {
  const { node, value } = place
  const isSecret = place.isSecret || node['x-secret'] === 'value'
  if (typeof value === 'string') return maskText(value, isSecret)
  if (Array.isArray(value)) {
    return value.map((item, index) => {
      const isNamedSo = isSecret || isCredentialFlag(value[index - 1])
      return mask({ node: node.items ?? {}, value: item, isSecret: isNamedSo, isByName: place.isByName })
    })
  }
  if (!isJsonObject(value)) return isSecret && value !== null ? MASK : value
  // `{ file }` and `{ command }` say where a secret is, not what it is; anything else there may be one.
  if (node['x-secret'] === 'value' && Object.keys(value).length === 1 && secretSourceOf(value)) {
    return mask({ node: {}, value, isSecret: false, isByName: false })
  }
  const isByName = place.isByName || node['x-secret'] === 'fields'
  const branch = node.anyOf?.find((each) => Object.keys(value).every((key) => childOf(each, key))) ?? node
  const entries = Object.entries(value).map(([key, item]) => {
    const isNamedSo = isSecret || (isByName && isCredentialName(key))
    return [key, mask({ node: childOf(branch, key) ?? {}, value: item, isSecret: isNamedSo, isByName })]
  })
  return Object.fromEntries(entries)
}

function maskText(text: string, isSecret: boolean): string {
  if (isSecret) return isReferenceOnly(text) ? text : MASK
  if (isCredentialValue(text)) return MASK
  const flag = /^(--?[\w-]+)=/.exec(text)?.[1]
  if (isCredentialFlag(flag) && !hasReference(text)) return `${flag}=${MASK}`
  return maskUrl(text)
}

/** `--api-key`: what follows is one. */
function isCredentialFlag(item: JsonValue | undefined): boolean {
  return typeof item === 'string' && /^--?[\w-]+$/.test(item) && isCredentialName(item.replace(/^-+/, ''))
}

/** `${KEY}`, `Bearer ${KEY}`: nothing in it but references and a scheme. */
function isReferenceOnly(text: string): boolean {
  if (!hasReference(text)) return false
  return /^(?:bearer|basic|token)?$/i.test(replaceReferences(text, () => '').trim())
}

/** An address may carry a password or a key; the rest of it is worth seeing. */
function maskUrl(text: string): string {
  const url = URL.parse(text)
  if (!url || hasReference(text)) return text
  const keys = [...url.searchParams.keys()].filter(isCredentialName)
  if (url.password === '' && keys.length === 0) return text
  if (url.password !== '') url.password = MASK
  for (const key of keys) url.searchParams.set(key, MASK)
  return decodeURIComponent(url.href)
}
