import type { JsonObject, JsonValue } from '../../json.ts'
import { isJsonObject } from '../../json.ts'
import type { Tool } from '../../tool.ts'
import {
  DESCRIPTION_MAX_CHARACTERS,
  ENUM_MAX_VALUES,
  EXAMPLES_MAX_COUNT,
  NAME_MAX_CHARACTERS,
  PARAMETER_DESCRIPTION_MAX_CHARACTERS,
  PARAMETER_NAMES_MAX_CHARACTERS,
  PARAMETER_TEXT_MAX_CHARACTERS,
  SCHEMA_MAX_DEPTH,
  SCHEMA_MAX_NODES,
  TITLE_MAX_CHARACTERS,
} from '../limits.ts'

export const FIELDS = ['name', 'owner', 'title', 'description', 'parameterNames', 'parameterTexts'] as const
export type Field = (typeof FIELDS)[number]

/** What is indexed of a tool, each text bounded. */
export function toolTexts(tool: Tool): Readonly<Record<Field, string>> {
  const parameters = { names: [], texts: [] }
  readSchema(tool.inputSchema, parameters)
  for (const example of (tool.examples ?? []).slice(0, EXAMPLES_MAX_COUNT)) readExample(example, parameters)
  return {
    name: tool.name.slice(0, NAME_MAX_CHARACTERS),
    owner: tool.owner.slice(0, NAME_MAX_CHARACTERS),
    title: (tool.title ?? '').slice(0, TITLE_MAX_CHARACTERS),
    description: tool.description.slice(0, DESCRIPTION_MAX_CHARACTERS),
    parameterNames: parameters.names.join(' ').slice(0, PARAMETER_NAMES_MAX_CHARACTERS),
    parameterTexts: parameters.texts.join(' ').slice(0, PARAMETER_TEXT_MAX_CHARACTERS),
  }
}

interface ParameterTexts {
  readonly names: string[]
  readonly texts: string[]
}

/** Breadth first, so that a deep branch cannot push the plain parameters past the bounds. */
function readSchema(root: JsonObject, found: ParameterTexts): void {
  const seen = new Set<JsonValue>([root])
  let level: JsonObject[] = [root]
  for (let depth = 0; depth < SCHEMA_MAX_DEPTH && level.length > 0; depth += 1) {
    const next: JsonObject[] = []
    for (const node of level) {
      if (depth > 0) readText(node, found)
      for (const child of childrenOf(node, root, found)) {
        // A schema may repeat or contain itself by $ref.
        if (seen.has(child) || seen.size >= SCHEMA_MAX_NODES) continue
        seen.add(child)
        next.push(child)
      }
    }
    level = next
  }
}

function readText(node: JsonObject, found: ParameterTexts): void {
  for (const text of [node['title'], node['description'], node['const']]) {
    if (typeof text === 'string') found.texts.push(text.slice(0, PARAMETER_DESCRIPTION_MAX_CHARACTERS))
  }
  const values = node['enum']
  if (!Array.isArray(values)) return
  for (const value of values.slice(0, ENUM_MAX_VALUES)) {
    if (typeof value === 'string') found.texts.push(value.slice(0, PARAMETER_DESCRIPTION_MAX_CHARACTERS))
  }
}

const SCHEMA_LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items'] as const
const SCHEMA_PLACES = ['items', 'additionalProperties', 'contains', 'if', 'then', 'else'] as const

function* childrenOf(node: JsonObject, root: JsonObject, found: ParameterTexts): Generator<JsonObject> {
  const properties = node['properties']
  if (isJsonObject(properties)) {
    for (const [name, child] of Object.entries(properties)) {
      found.names.push(name)
      if (isJsonObject(child)) yield child
    }
  }
  for (const place of SCHEMA_PLACES) {
    const child = node[place]
    if (isJsonObject(child)) yield child
  }
  for (const place of SCHEMA_LISTS) {
    const children = node[place]
    if (Array.isArray(children)) yield* children.filter(isJsonObject)
  }
  const target = typeof node['$ref'] === 'string' ? resolveReference(root, node['$ref']) : undefined
  if (target !== undefined) yield target
}

function resolveReference(root: JsonObject, reference: string): JsonObject | undefined {
  if (!reference.startsWith('#/')) return undefined
  let place: JsonValue | undefined = root
  for (const part of reference.slice(2).split('/')) {
    if (!isJsonObject(place)) return undefined
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    place = Object.hasOwn(place, key) ? place[key] : undefined
  }
  return isJsonObject(place) ? place : undefined
}

function readExample(example: JsonObject, found: ParameterTexts): void {
  for (const value of Object.values(example)) {
    if (typeof value === 'string') found.texts.push(value.slice(0, PARAMETER_DESCRIPTION_MAX_CHARACTERS))
  }
}
