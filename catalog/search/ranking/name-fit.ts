import type { Tool } from '../../tool.ts'
import type { ToolRecord } from '../index/tool-record.ts'
import { nameEnd, NAME_START } from '../index/tool-record.ts'
import type { ToolStore } from '../index/tool-store.ts'
import { NEAR_NAME_MAX_WORDS } from '../limits.ts'
import type { TextReader } from '../text/text-reader.ts'
import { isNearName } from './near-name.ts'

/** How the query names a tool; the higher the surer, and the higher come first whatever their scores. */
export const NAME_FIT = { none: 0, near: 1, squashed: 2, exact: 3 } as const
export type NameFit = (typeof NAME_FIT)[keyof typeof NAME_FIT]

/** Whether a query is a tool's name with a slip in it. Splitting a hundred names anew is what would cost. */
export function createNearFit(
  store: ToolStore,
  text: string,
  reader: TextReader,
): (tool: Tool, document: number) => NameFit {
  const asked = reader.wordsOf(text)
  if (asked.length > NEAR_NAME_MAX_WORDS) return () => NAME_FIT.none
  const askedTerms = new Set(asked.map((word) => store.postings.numberOf(reader.termOf(word))))
  return (tool, document) =>
    mayBeNear(store.recordAt(document), asked.length, askedTerms) ? nearFit(tool, asked, reader) : NAME_FIT.none
}

/** All words but one must be there; so must all terms but one, joined forms of two words (`github`) aside. */
function mayBeNear(record: ToolRecord, words: number, terms: ReadonlySet<number | undefined>): boolean {
  const end = nameEnd(record)
  const nameTerms = end - NAME_START
  if (words < nameTerms - 1) return false
  let missing = 0
  for (let place = NAME_START; place < end; place += 1) {
    if (!terms.has(record[place])) missing += 1
  }
  return missing <= 1 + Math.floor(nameTerms / 3)
}

function nearFit(tool: Tool, asked: readonly string[], reader: TextReader): NameFit {
  const name = reader.plainWordsOf(tool.name)
  if (asked.length < name.length) return NAME_FIT.none
  if (isNearName(asked, name)) return NAME_FIT.near
  if (asked.length === name.length || !endsNear(asked, name)) return NAME_FIT.none
  return isNearName(asked, [...reader.plainWordsOf(tool.owner), ...name]) ? NAME_FIT.near : NAME_FIT.none
}

function endsNear(asked: readonly string[], name: readonly string[]): boolean {
  return isNearName(asked.slice(-name.length), name)
}
