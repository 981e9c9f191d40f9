import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import type { Notice } from '../outcome.ts'
import { quote } from './quote.ts'

export type Selector =
  | {
      readonly kind: 'selector'
      readonly id: string
      /** The keys that named the tool; all others are arguments. */
      readonly keys: ReadonlySet<string>
      readonly notices: readonly Notice[]
    }
  | { readonly kind: 'problem'; readonly message: string }

/** Nothing else than the tool can be meant by these. */
const ID_KEYS = ['id', 'toolId', 'tool_id', 'toolName', 'tool_name'] as const
/** The tool where no key above names it; may also be arguments of the tool. */
const LOOSE_KEYS = ['tool', 'name', 'function'] as const

/** Which tool a call names. `hasArguments`: the call has its arguments in their place, so no other key is one. */
export function readSelector(form: JsonObject, hasArguments: boolean): Selector {
  const exact = present(form, ID_KEYS)
  const strict = exact.length > 0 ? exact : present(form, respelt(form))
  const loose = present(form, LOOSE_KEYS)
  const [first] = [...strict, ...loose]
  if (first === undefined) return problem(missing(form))
  const same = [...strict, ...loose].filter(({ id }) => isSameTool(id, first.id))
  const others = [...strict, ...loose].filter(({ id }) => !isSameTool(id, first.id))
  const conflict = others.find(
    ({ key, id }) => hasArguments || looksLikeId(id) || strict.some((named) => named.key === key),
  )
  if (conflict !== undefined) {
    return problem(
      `two tools are named: "${first.key}" is ${quote(first.id)}, "${conflict.key}" is ${quote(conflict.id)}; ` +
        'send one "id", and arguments inside "args"',
    )
  }
  const id = same.map((named) => named.id).toSorted((a, b) => b.length - a.length)[0] ?? first.id
  const server = hasArguments ? serverOf(form) : undefined
  if (server !== undefined && !looksLikeId(id)) {
    // The name alone might be that of another server's tool.
    const notice = { code: 'call-repaired', message: `"${server.key}" and "${first.key}" were read as "id"` }
    const keys = new Set([...same.map(({ key }) => key), server.key])
    return { kind: 'selector', id: `${server.id}:${id}`, keys, notices: [notice] }
  }
  const notices = first.key === 'id' ? [] : [{ code: 'call-repaired', message: `"${first.key}" was read as "id"` }]
  return { kind: 'selector', id, keys: new Set(same.map(({ key }) => key)), notices }
}

interface Named {
  readonly key: string
  readonly id: string
}

function present(form: JsonObject, keys: readonly string[]): readonly Named[] {
  return keys.flatMap((key) => {
    const id = Object.hasOwn(form, key) ? idOf(form[key]) : undefined
    return id === undefined ? [] : [{ key, id }]
  })
}

/** `ID`, `toolID`, `tool-id`. */
function respelt(form: JsonObject): readonly string[] {
  return Object.keys(form).filter((key) => /^(?:id|toolid|toolname)$/.test(key.toLowerCase().replace(/[-_]/g, '')))
}

/** `{ server_name, tool_name, arguments }`, as other clients call the tools of MCP servers. */
function serverOf(form: JsonObject): Named | undefined {
  return present(form, ['server', 'server_name', 'serverName'])[0]
}

/** A hit in the place of its id means the id. */
function idOf(value: JsonValue | undefined): string | undefined {
  const id = isJsonObject(value) ? value.id : value
  return typeof id === 'string' && id.trim() !== '' ? id.trim() : undefined
}

/** `plugin:math:add` and `add` name one tool. */
function isSameTool(a: string, b: string): boolean {
  return a === b || a.endsWith(`:${b}`) || b.endsWith(`:${a}`)
}

function looksLikeId(text: string): boolean {
  return /^[a-z]+:[^:\s]+:[^:\s]+$/.test(text)
}

function missing(form: JsonObject): string {
  const wrong = ID_KEYS.find((key) => Object.hasOwn(form, key))
  if (wrong !== undefined)
    return `"${wrong}" is ${quote(form[wrong])}; send the id that a search gave, as text: "source:owner:name"`
  const keys = Object.keys(form).slice(0, 8)
  const got = keys.length === 0 ? 'nothing' : `only ${keys.map((key) => quote(key)).join(', ')}`
  return `no tool is named: send { "id": "source:owner:name", "args": { … } } with an id that a search gave; there was ${got}`
}

function problem(message: string): Selector {
  return { kind: 'problem', message }
}
