import type { JsonObject } from '../../../catalog/json.ts'
import { isJson } from '../../../catalog/read-json.ts'
import { mendArguments } from './mend-arguments.ts'
import type { ToolCallPart } from '../provider.ts'
import type { CallFragment } from './read-chunk.ts'

export interface CallAssembler {
  add(fragment: CallFragment): void
  readonly count: number
  /** Whether nothing has come of the last call's arguments. */
  readonly isLastBare: boolean
  /** The calls in the order in which they began, each with an id of its own. */
  finish(): readonly ToolCallPart[]
}

interface OpenCall {
  readonly index: number | undefined
  id: string | undefined
  name: string
  arguments: string
  /** The last two parts of them. */
  parts: readonly [before: string, last: string]
  extra: JsonObject | undefined
}

/**
 * Puts the fragments of a step's tool calls together. OpenAI numbers the calls and gives each an id once; others put
 * every call at index 0 (Ollama), leave ids or indexes out, repeat id and name in every fragment, or send no arguments.
 */
export function createCallAssembler(deps: { readonly newCallId: () => string }): CallAssembler {
  const calls: OpenCall[] = []
  return {
    add(fragment) {
      const open = findOpen(calls, fragment)
      if (open) extend(open, fragment)
      else calls.push(begin(fragment))
    },
    get count() {
      return calls.length
    },
    get isLastBare() {
      return calls.at(-1)?.arguments.trim() === ''
    },
    finish() {
      const taken = new Set<string>()
      return calls.map((call) => {
        const id = call.id !== undefined && !taken.has(call.id) ? call.id : deps.newCallId()
        taken.add(id)
        const body = { name: call.name, arguments: mendArguments(argumentsOf(call)) }
        return { id, type: 'function', function: body, ...(call.extra && { extra_content: call.extra }) }
      })
    },
  }
}

/** The call that a fragment goes on with; undefined where it begins a new one. */
function findOpen(calls: readonly OpenCall[], fragment: CallFragment): OpenCall | undefined {
  if (fragment.isOwnCall === true) return undefined
  const sameId = fragment.id === undefined ? undefined : calls.findLast((call) => call.id === fragment.id)
  // The index tells apart two calls to which a server gave one id.
  if (sameId) return fragment.index === undefined || sameId.index === fragment.index ? sameId : undefined
  const last = calls.findLast((call) => fragment.index === undefined || call.index === fragment.index)
  if (!last) return undefined
  // A first id for a call that had none is the same call only while it has not begun to speak.
  if (fragment.id !== undefined && last.id === undefined && last.name === '') return last
  // Some make an id for every fragment; a new call has a name.
  const isMore = fragment.name === undefined && fragment.arguments !== '' && last.name !== ''
  if (fragment.id !== undefined) return isMore ? last : undefined
  return isNextCall(last, fragment) ? undefined : last
}

/** A name again, after whole arguments or another name, is the next call at an index that was not counted on. */
function isNextCall(last: OpenCall, fragment: CallFragment): boolean {
  if (fragment.name === undefined || last.name === '') return false
  return fragment.name !== last.name || isJson(last.arguments)
}

function begin(fragment: CallFragment): OpenCall {
  return {
    index: fragment.index,
    id: fragment.id,
    name: fragment.name ?? '',
    arguments: fragment.arguments,
    parts: ['', fragment.arguments],
    extra: fragment.extra,
  }
}

function extend(call: OpenCall, fragment: CallFragment): void {
  call.id ??= fragment.id
  if (call.name === '') call.name = fragment.name ?? ''
  call.arguments += fragment.arguments
  if (fragment.arguments !== '') call.parts = [call.parts[1], fragment.arguments]
  call.extra = fragment.extra ?? call.extra
}

/** Some servers send with each part all that came before it too: then the last is the whole. */
function argumentsOf({ arguments: joined, parts: [before, last] }: OpenCall): string {
  const isWhole = before !== '' && last.length > before.length && last.startsWith(before) && isJson(last)
  return isWhole && !isJson(joined) ? last : joined
}
