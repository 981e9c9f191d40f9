import type { JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { isCredentialName, isCredentialValue } from '../../schema/credential-name.ts'
import type { Finding } from '../../schema/find-problems.ts'
import { childOf } from '../../schema/find-problems.ts'
import type { SchemaNode } from '../../schema/schema-node.ts'
import type { ConfigPath } from '../document/config-path.ts'
import { REDACTED_SECRET_CHARS } from '../limits.ts'
import { replaceReferences } from './references.ts'
import type { FetchSecret } from './secret-source.ts'
import { fetchSecret, secretSourceOf } from './secret-source.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface ResolveOptions {
  readonly env: Environment
  /** What relative files are relative to. */
  readonly directory: string
  /** `skip`: files and commands are neither read nor run; for who only wants to know whether the rest is right. */
  readonly secrets?: 'fetch' | 'skip'
  /** How they are fetched; by default anew, and waited for. */
  readonly fetchSecret?: FetchSecret
}

export interface Resolved {
  /** A reference that cannot be resolved stays as it is written. */
  readonly value: JsonValue
  readonly problems: readonly Finding[]
  /** For the redactor: longest first, so that no part of one is left behind. */
  readonly secrets: readonly string[]
  /** Where what a file or a command gave stands; it may give something else another time. */
  readonly fetched: readonly ConfigPath[]
}

/** Replaces references to the environment, files and commands by what they stand for. */
export async function resolveReferences(
  schema: SchemaNode,
  value: JsonValue,
  options: ResolveOptions,
): Promise<Resolved> {
  const found: Collected = { problems: [], secrets: new Set(), fetched: [] }
  const resolved = await resolve({ node: schema, value, path: [], isByName: false }, options, found)
  const secrets = [...found.secrets].filter((secret) => secret.length >= REDACTED_SECRET_CHARS)
  const { problems, fetched } = found
  return { value: resolved, problems, secrets: secrets.sort((a, b) => b.length - a.length), fetched }
}

/** Stands for a secret that was not fetched; looks like a reference, so that nothing judges it. */
const UNRESOLVED = '${UNRESOLVED}'

interface Place {
  readonly node: SchemaNode
  readonly value: JsonValue
  readonly path: ConfigPath
  /** Inside a map of headers, variables or a plugin's settings: a name tells what is a credential. */
  readonly isByName: boolean
}

interface Collected {
  readonly problems: Finding[]
  readonly secrets: Set<string>
  readonly fetched: ConfigPath[]
}

async function resolve(place: Place, options: ResolveOptions, found: Collected): Promise<JsonValue> {
  const { node, value, path } = place
  if (typeof value === 'string') return resolveText(place, value, { options, found })
  const source = node['x-secret'] === 'value' ? secretSourceOf(value) : undefined
  if (source) {
    if (options.secrets === 'skip') return UNRESOLVED
    const fetched = await (options.fetchSecret ?? fetchSecret)(source, options.directory, path)
    found.fetched.push(path)
    if (fetched.kind === 'secret') {
      addSecret(fetched.text, found.secrets)
      return fetched.text
    }
    found.problems.push({ path, message: fetched.message })
    return UNRESOLVED
  }
  const isByName = place.isByName || node['x-secret'] === 'fields'
  const child = (key: string | number, item: JsonValue, childNode: SchemaNode | undefined): Promise<JsonValue> =>
    resolve({ node: childNode ?? {}, value: item, path: [...path, key], isByName }, options, found)
  if (Array.isArray(value)) return Promise.all(value.map((item, index) => child(index, item, node.items)))
  if (!isJsonObject(value)) return value
  const branch = node.anyOf?.find((each) => Object.keys(value).every((key) => childOf(each, key))) ?? node
  const entries = Object.entries(value).map(async ([key, item]) => [key, await child(key, item, childOf(branch, key))])
  return Object.fromEntries(await Promise.all(entries))
}

function resolveText(
  place: Place,
  text: string,
  { options, found }: { readonly options: ResolveOptions; readonly found: Collected },
): string {
  const key = String(place.path.at(-1) ?? '')
  const isSecret = place.isByName ? isCredentialName(key) : place.node['x-secret'] === 'value'
  let isResolved = true
  const resolved = replaceReferences(text, (name) => {
    const value = options.env[name]
    if (value === undefined || value === '') {
      isResolved = false
      found.problems.push({ path: place.path, message: missing(name, value) })
      return `\${${name}}`
    }
    if (isSecret || isCredentialName(name) || isCredentialValue(value)) addSecret(value, found.secrets)
    return value
  })
  if (isResolved && (isSecret || isCredentialValue(resolved))) addSecret(resolved, found.secrets)
  const password = passwordOf(resolved)
  if (password !== undefined) found.secrets.add(password)
  return resolved
}

function missing(name: string, value: string | undefined): string {
  const state = value === undefined ? 'is not set' : 'is empty'
  return `environment variable ${name} ${state}; set it where the gateway starts, or write $\${${name}} to mean the text`
}

function addSecret(secret: string, secrets: Set<string>): void {
  secrets.add(secret)
  // A log may show the key without its scheme.
  const credential = /^(?:bearer|basic|token)\s+(.+)$/i.exec(secret)?.[1]
  if (credential !== undefined) secrets.add(credential)
}

function passwordOf(text: string): string | undefined {
  const password = URL.parse(text)?.password
  return password === '' ? undefined : password
}
