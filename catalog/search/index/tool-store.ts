import type { Tool } from '../../tool.ts'
import type { TextReader } from '../text/text-reader.ts'
import type { SearchWeights } from '../weights.ts'
import { analyseTool } from './analyse-tool.ts'
import type { NameTable } from './name-table.ts'
import { createNameTable } from './name-table.ts'
import type { Postings } from './postings.ts'
import { createPostings, DOCUMENTS_MAX } from './postings.ts'

/** All tools of the process under internal numbers, and their inverted index. */
export interface ToolStore {
  readonly postings: Postings
  readonly names: NameTable
  put(tool: Tool): void
  remove(id: string): void
  toolAt(document: number): Tool | undefined
  documentOf(id: string): number | undefined
  recordAt(document: number): ToolRecord
  actionAt(document: number): number
  /** Revision at which the id of this document came in; a replaced tool keeps it. */
  birthOf(document: number): number
  /** Number of tools. */
  count(): number
  /** All documents are below this number. */
  capacity(): number
  /** Goes up with every change. */
  revision(): number
}

/** Packed: number of name terms, number of sequence terms, the two lists, then every distinct term. */
export type ToolRecord = Uint32Array

export const RECORD_HEADER = 2

export function createToolStore(reader: TextReader, weights: SearchWeights): ToolStore {
  const postings = createPostings()
  const names = createNameTable(reader)
  const tools: (Tool | undefined)[] = []
  const records: (ToolRecord | undefined)[] = []
  const actions: number[] = []
  const documents = new Map<string, number>()
  const births: number[] = []
  const free: number[] = []
  let revision = 0

  function takeOut(document: number): void {
    const tool = tools[document]
    if (tool === undefined) return
    const record = records[document] ?? EMPTY_RECORD
    const start = RECORD_HEADER + (record[0] ?? 0) + (record[1] ?? 0)
    for (let place = start; place < record.length; place += 1) postings.remove(record[place] ?? 0, document)
    names.remove(tool, document)
    tools[document] = undefined
    records[document] = undefined
  }

  return {
    postings,
    names,
    put(tool) {
      revision += 1
      const known = documents.get(tool.id)
      const document = known ?? free.pop() ?? tools.length
      if (known === undefined) births[document] = revision
      else takeOut(known)
      if (document >= DOCUMENTS_MAX) throw new RangeError(`the search index holds at most ${DOCUMENTS_MAX} tools`)
      const analysis = analyseTool(tool, reader, weights)
      const numbers = new Map<string, number>()
      for (const [term, impact] of analysis.impacts) numbers.set(term, postings.add(term, document, impact))
      const numberOf = (term: string): number => numbers.get(term) ?? 0
      records[document] = Uint32Array.from([
        analysis.nameTerms.length,
        analysis.sequence.length,
        ...analysis.nameTerms.map(numberOf),
        ...analysis.sequence.map(numberOf),
        ...numbers.values(),
      ])
      tools[document] = tool
      actions[document] = analysis.action
      documents.set(tool.id, document)
      names.add(tool, document)
    },
    remove(id) {
      const document = documents.get(id)
      if (document === undefined) return
      revision += 1
      takeOut(document)
      documents.delete(id)
      free.push(document)
    },
    toolAt: (document) => tools[document],
    documentOf: (id) => documents.get(id),
    recordAt: (document) => records[document] ?? EMPTY_RECORD,
    actionAt: (document) => actions[document] ?? 0,
    birthOf: (document) => births[document] ?? 0,
    count: () => documents.size,
    capacity: () => tools.length,
    revision: () => revision,
  }
}

const EMPTY_RECORD = new Uint32Array(RECORD_HEADER)
