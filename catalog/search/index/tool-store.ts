import type { Tool } from '../../tool.ts'
import { RESOLVER_MAX_STALE_WORDS } from '../limits.ts'
import type { WordResolver } from '../query/word-resolver.ts'
import { createWordResolver } from '../query/word-resolver.ts'
import type { TextReader } from '../text/text-reader.ts'
import type { SearchWeights } from '../weights.ts'
import { analyseTool } from './analyse-tool.ts'
import type { NameTable } from './name-table.ts'
import { createNameTable } from './name-table.ts'
import type { OwnerNumbers } from './owner-numbers.ts'
import { createOwnerNumbers } from './owner-numbers.ts'
import type { Postings } from './postings.ts'
import { createPostings, DOCUMENTS_MAX } from './postings.ts'
import type { ToolRecord } from './tool-record.ts'
import { EMPTY_RECORD, packRecord, sequenceEnd } from './tool-record.ts'

const NO_OWNER = -1

/** Tools under internal numbers ("documents"), and their inverted index. */
export class ToolStore {
  readonly postings: Postings = createPostings()
  readonly names: NameTable
  readonly owners: OwnerNumbers = createOwnerNumbers()
  readonly #reader: TextReader
  readonly #weights: SearchWeights
  readonly #tools: (Tool | undefined)[] = []
  readonly #records: (ToolRecord | undefined)[] = []
  readonly #actions: number[] = []
  readonly #orders: number[] = []
  readonly #births: number[] = []
  readonly #owners: number[] = []
  readonly #documents = new Map<string, number>()
  readonly #free: number[] = []
  #resolver: WordResolver = createWordResolver()
  #revision = 0

  constructor(reader: TextReader, weights: SearchWeights) {
    this.#reader = reader
    this.#weights = weights
    this.names = createNameTable()
  }

  put(tool: Tool): void {
    this.#revision += 1
    const known = this.#documents.get(tool.id)
    const document = known ?? this.#free.pop() ?? this.#tools.length
    if (document >= DOCUMENTS_MAX) throw new RangeError(`the search index holds at most ${DOCUMENTS_MAX} tools`)
    if (known === undefined) this.#births[document] = this.#revision
    else this.#takeOut(known)
    const analysis = analyseTool(tool, this.#reader, this.#weights)
    const numbers = new Map<string, number>()
    for (const [term, impact] of analysis.impacts) numbers.set(term, this.postings.add(term, document, impact))
    const numberOf = (term: string): number => numbers.get(term) ?? 0
    this.#records[document] = packRecord({
      name: analysis.nameTerms.map(numberOf),
      sequence: analysis.sequence.map(numberOf),
      distinct: numbers.values(),
    })
    this.#tools[document] = tool
    this.#owners[document] = this.owners.take(tool.owner)
    this.#actions[document] = analysis.action
    this.#orders[document] = hashOf(tool.id)
    this.#documents.set(tool.id, document)
    this.names.add(tool, document)
    for (const word of analysis.words) this.#resolver.add(word)
  }

  remove(id: string): void {
    const document = this.#documents.get(id)
    if (document === undefined) return
    this.#revision += 1
    this.#takeOut(document)
    this.#documents.delete(id)
    this.#free.push(document)
  }

  /** Words of the tools, to resolve unknown ones; made anew when most of what it holds is of tools long gone. */
  resolver(): WordResolver {
    if (this.#resolver.size() <= 2 * this.postings.termCount() + RESOLVER_MAX_STALE_WORDS) return this.#resolver
    const fresh = createWordResolver()
    for (const tool of this.tools()) {
      for (const word of analyseTool(tool, this.#reader, this.#weights).words) fresh.add(word)
    }
    this.#resolver = fresh
    return fresh
  }

  toolAt(document: number): Tool | undefined {
    return this.#tools[document]
  }

  recordAt(document: number): ToolRecord {
    return this.#records[document] ?? EMPTY_RECORD
  }

  /** A number of the tool's id alone, to tell equals apart in the same way whatever their order of arrival. */
  orderOf(document: number): number {
    return this.#orders[document] ?? 0
  }

  documentOf(id: string): number | undefined {
    return this.#documents.get(id)
  }

  actionAt(document: number): number {
    return this.#actions[document] ?? 0
  }

  /** Revision at which the id of this document came in; a replaced tool keeps it. */
  birthOf(document: number): number {
    return this.#births[document] ?? 0
  }

  /** The number of the tool's owner, and below 0 where there is no tool. */
  ownerAt(document: number): number {
    return this.#owners[document] ?? NO_OWNER
  }

  tools(): readonly Tool[] {
    return this.#tools.filter((tool) => tool !== undefined)
  }

  count(): number {
    return this.#documents.size
  }

  /** All documents are below this number. */
  capacity(): number {
    return this.#tools.length
  }

  /** Goes up with every change. */
  revision(): number {
    return this.#revision
  }

  #takeOut(document: number): void {
    const tool = this.#tools[document]
    if (tool === undefined) return
    const record = this.recordAt(document)
    for (const term of record.subarray(sequenceEnd(record))) this.postings.remove(term, document)
    this.names.remove(tool, document)
    this.owners.release(this.ownerAt(document))
    this.#owners[document] = NO_OWNER
    this.#tools[document] = undefined
    this.#records[document] = undefined
  }
}

/** FNV-1a over UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let place = 0; place < text.length; place += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193)
  }
  return hash >>> 0
}
