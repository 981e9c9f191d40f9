import { setImmediate as betweenOthers } from 'node:timers/promises'
import type { Client } from '@modelcontextprotocol/client'
import { METHOD_NOT_FOUND, ProtocolError } from '@modelcontextprotocol/client'
import { isJsonObject } from '../../../json.ts'
import type { ToolDefinition } from '../../../tool.ts'
import { TOOL_ID_MAX_LENGTH } from '../../../limits.ts'
import {
  BAD_TOOLS_MAX,
  CURSOR_MAX_LENGTH,
  LIST_ATTEMPTS_MAX,
  LIST_MAX_LENGTH,
  LIST_MAX_PAGES,
  LISTED_AT_ONCE,
  PROBLEMS_MAX,
  VALUE_MAX_DEPTH,
} from '../limits.ts'
import { isSaidByServer, rawResultOf } from '../transport/answer-guard.ts'
import { headerFault } from './header-fault.ts'
import type { ReadTool } from './tool-definition.ts'
import { readTool } from './tool-definition.ts'
import { isDeeperThan } from './tool-result.ts'

export interface ToolList {
  /** Without `execute`; names are unique. */
  readonly definitions: readonly ToolDefinition[]
  /** What has a name and cannot be used, withheld with why, so that who looks for it learns that; absent where there is none. */
  readonly bad?: readonly ToolDefinition[]
  readonly hiddenCount: number
  /** What was left out and why: the first few, and how many in all. */
  readonly problems: readonly string[]
  readonly problemCount: number
}

export interface ListBounds {
  readonly maxTools: number
  readonly pageMs: number
  /** Arguments go out as headers too (2026-07-28 over HTTP): tools that misdeclare them must be left out. */
  readonly hasParamHeaders: boolean
  /** An empty cursor is one like any other (2026-07-28). Before that it is how many servers end their list. */
  readonly hasEmptyCursors: boolean
}

/**
 * Every page of `tools/list`. A list that does not end, or floods, is cut and the cut is said. One that breaks off is read
 * once more from its start, since a cursor ends with the list that it was given for; what there is of it then is taken.
 */
export async function listTools(client: Client, bounds: ListBounds, signal: AbortSignal): Promise<ToolList> {
  for (let attempt = 1; ; attempt += 1) {
    const gathered = new GatheredTools(bounds)
    const cut = await gatherPages(client, gathered, { signal, timeout: bounds.pageMs })
    if (cut?.isRefusal === true && attempt < LIST_ATTEMPTS_MAX) continue
    if (cut !== undefined) gathered.addProblem(cut.problem)
    return gathered.list()
  }
}

interface ListCut {
  readonly problem: string
  /** The server gave a cursor and then did not take it. */
  readonly isRefusal?: boolean
}

/** Gives why there may be more of them. */
async function gatherPages(
  client: Client,
  gathered: GatheredTools,
  options: PageOptions,
): Promise<ListCut | undefined> {
  const cursors = new Set<string>()
  let cursor: string | undefined
  for (let page = 1; ; page += 1) {
    const read = await readPage(client, cursor, options)
    // Some end with an empty cursor all the same, and take none, or begin again.
    if (cursor === '' && (read.kind === 'refused' || isBegunAgain(read, gathered, cursors))) return undefined
    if (read.kind === 'refused') {
      const problem = `page ${page} of tools/list was refused (code ${read.code}); the rest is left out`
      return { problem, isRefusal: true }
    }
    if (read.fault !== undefined) gathered.addProblem(read.fault)
    const isFull = !(await gathered.add(read.entries))
    if (isFull || read.next === undefined || (read.next === '' && !gathered.hasEmptyCursors)) return undefined
    const problem = stopReason(read.next, cursors, page)
    if (problem !== undefined) return { problem }
    cursors.add(read.next)
    cursor = read.next
  }
}

function isBegunAgain({ entries, next }: ListPage, gathered: GatheredTools, cursors: ReadonlySet<string>): boolean {
  return (next === undefined || cursors.has(next)) && gathered.hasAll(entries)
}

class GatheredTools {
  readonly #bounds: ListBounds
  readonly #definitions = new Map<string, ToolDefinition>()
  readonly #bad = new Map<string, ToolDefinition>()
  /** Of all entries, also of those that are not taken. */
  readonly #names = new Set<string>()
  readonly #problems: string[] = []
  #problemCount = 0
  #hiddenCount = 0
  #length = 0

  constructor(bounds: ListBounds) {
    this.#bounds = bounds
  }

  /** False when no more can be taken. A long page is read between other work. */
  async add(entries: readonly unknown[]): Promise<boolean> {
    const { maxTools } = this.#bounds
    for (const [at, entry] of entries.entries()) {
      if (at > 0 && at % LISTED_AT_ONCE === 0) await betweenOthers()
      // Bad and hidden entries count too: a flood of them is a flood.
      if (this.#definitions.size + this.#hiddenCount + this.#problemCount >= maxTools) {
        this.addProblem(`more than ${maxTools} tools; the rest is left out, raise maxTools to take them`)
        return false
      }
      this.#length += lengthOf(entry)
      if (this.#length > LIST_MAX_LENGTH) {
        this.addProblem(`the list is longer than ${LIST_MAX_LENGTH} characters; the rest is left out`)
        return false
      }
      this.#addEntry(entry)
    }
    return true
  }

  get hasEmptyCursors(): boolean {
    return this.#bounds.hasEmptyCursors
  }

  /** Nothing in them is new. */
  hasAll(entries: readonly unknown[]): boolean {
    return entries.every((entry) => {
      const name = nameIn(entry)
      return name !== undefined && this.#names.has(name)
    })
  }

  addProblem(problem: string): void {
    this.#problemCount += 1
    if (this.#problems.length < PROBLEMS_MAX) this.#problems.push(problem)
  }

  list(): ToolList {
    const bad = [...this.#bad.values()].filter(({ name }) => !this.#definitions.has(name))
    return {
      definitions: [...this.#definitions.values()],
      ...(bad.length > 0 && { bad }),
      hiddenCount: this.#hiddenCount,
      problems: this.#problems,
      problemCount: this.#problemCount,
    }
  }

  #read(entry: unknown): ReadTool {
    const read = readTool(entry)
    if (read.kind !== 'tool' || !this.#bounds.hasParamHeaders) return read
    const { name, inputSchema } = read.definition
    const fault = headerFault(inputSchema)
    return fault === undefined ? read : { kind: 'bad', name, reason: `tool "${name}": ${fault}` }
  }

  #addBad({ name, reason }: Extract<ReadTool, { readonly kind: 'bad' }>): void {
    this.addProblem(reason)
    const isShown = name !== undefined && name.length <= TOOL_ID_MAX_LENGTH && this.#bad.size < BAD_TOOLS_MAX
    if (isShown) this.#bad.set(name, withheldTool(name, reason))
  }

  #addEntry(entry: unknown): void {
    const name = nameIn(entry)
    if (name !== undefined) this.#names.add(name)
    const read = this.#read(entry)
    if (read.kind === 'hidden') this.#hiddenCount += 1
    else if (read.kind === 'bad') this.#addBad(read)
    else if (this.#definitions.has(read.definition.name)) {
      this.addProblem(`tool "${read.definition.name}" is listed twice; the first is taken`)
    } else this.#definitions.set(read.definition.name, read.definition)
  }
}

function nameIn(entry: unknown): string | undefined {
  const name = isJsonObject(entry) ? entry['name'] : undefined
  return typeof name === 'string' ? name : undefined
}

/** Of what cannot be read the name and the reason are all there is. */
function withheldTool(name: string, reason: string): ToolDefinition {
  return { name, description: '', inputSchema: { type: 'object' }, withheld: { reason } }
}

/** Of its JSON; what is too deep to be written is refused when it is read, and not kept. */
function lengthOf(entry: unknown): number {
  return isDeeperThan(entry, VALUE_MAX_DEPTH * 2) ? 0 : JSON.stringify(entry).length
}

function stopReason(next: string, cursors: ReadonlySet<string>, page: number): string | undefined {
  if (cursors.has(next)) return 'tools/list repeats a cursor; the list was cut there'
  if (next.length > CURSOR_MAX_LENGTH) return 'tools/list gives a cursor that is too long; the list was cut there'
  return page >= LIST_MAX_PAGES ? `tools/list has more than ${LIST_MAX_PAGES} pages; the rest is left out` : undefined
}

interface PageOptions {
  readonly signal: AbortSignal
  readonly timeout: number
}

interface ListPage {
  readonly kind: 'page'
  readonly entries: readonly unknown[]
  readonly next?: string
  readonly fault?: string
}

type Page = ListPage | { readonly kind: 'refused'; readonly code: number }

async function readPage(client: Client, cursor: string | undefined, options: PageOptions): Promise<Page> {
  try {
    const params = cursor === undefined ? {} : { cursor }
    const result = await client.request({ method: 'tools/list', params }, { ...options })
    const raw = rawResultOf(result)
    const entries: unknown = isJsonObject(raw) ? raw['tools'] : undefined
    const next = result.nextCursor
    const more = next === undefined ? {} : { next }
    if (Array.isArray(entries)) return { kind: 'page', entries, ...more }
    // Nothing that is there is a list of nothing; anything else is tools that nobody could read.
    const isNone = entries === undefined || entries === null
    return { kind: 'page', entries: [], ...more, ...(!isNone && { fault: 'tools/list has no list of tools in it' }) }
  } catch (error) {
    if (!(error instanceof ProtocolError) || !isSaidByServer(error.code)) throw error
    if (cursor !== undefined) return { kind: 'refused', code: error.code }
    if (!hasNoTools(client, error)) throw error
    return { kind: 'page', entries: [] }
  }
}

/** A server of resources or prompts alone: says so, or never said that it has tools and says no in words of its own. */
function hasNoTools(client: Client, { code }: ProtocolError): boolean {
  return code === METHOD_NOT_FOUND || client.getServerCapabilities()?.tools === undefined
}
