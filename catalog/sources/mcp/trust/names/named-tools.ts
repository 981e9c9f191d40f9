import type { ToolDefinition } from '../../../../tool.ts'
import { nameParts } from '../lexicon/subject.ts'
import { MENTIONED_MAX_LENGTH, MENTIONS_MAX } from '../limits.ts'
import { plainText } from '../text/plain-text.ts'
import { subjectOf } from '../text/purpose.ts'
import type { Token } from '../text/sentences.ts'
import { sentencesOf } from '../text/sentences.ts'
import type { ToolText } from '../text/tool-texts.ts'
import { toolTexts } from '../text/tool-texts.ts'

/** A name of a tool that a text speaks of. */
export interface NamedTool {
  /** As written. */
  readonly name: string
  readonly place: string
  /** What says that the speaker stands in for it; undefined where it only speaks of it. */
  readonly claim: string | undefined
}

/**
 * What a tool's texts call by a name as tools have them, `send_mail` or `sendMail`; and whether they claim to stand in
 * for a tool of its own name that somebody else has. Whose names these are is for the names of all servers to tell.
 */
export function namedTools(tool: ToolDefinition): readonly NamedTool[] {
  const own = keyOf(tool.name)
  const named = toolTexts(tool).texts.flatMap((text) =>
    text.role === 'name' || text.role === 'parameter-name' || !MAY_NAME.test(text.text) ? [] : namedIn(text, own),
  )
  if (named.length === 0) return []
  const { ownNames } = subjectOf(tool, new Set())
  const found = new Map<string, NamedTool>()
  for (const each of named) {
    const key = keyOf(each.name)
    const isParameter = key !== own && ownNames.has(key)
    if (!isParameter && found.get(key)?.claim === undefined && found.size < MENTIONS_MAX) found.set(key, each)
  }
  return [...found.values()]
}

function keyOf(name: string): string {
  return nameParts(name).join('_')
}

/** Most texts name nothing, and need not be cut into words. */
const MAY_NAME =
  /[a-z0-9]_[a-z0-9]|[a-z0-9][A-Z]|[a-z]-[a-z]|\b(?:other|original|official|existing|built|native|standard)/

function namedIn({ text, place }: ToolText, own: string): readonly NamedTool[] {
  const plain = plainText(text)
  return sentencesOf(plain).flatMap((sentence) => {
    const claim = sentence.find((token) => REPLACING.has(token.word))?.word
    const isOfOthers = claim !== undefined && sentence.some((_, at) => isOthers(sentence, at))
    // Words of a sentence are parts of names with hyphens.
    const words = plain.slice(sentence[0]?.start, sentence.at(-1)?.end).split(/[^\w-]+/)
    const named = words.filter(isName).map((name): NamedTool => ({ name, place, claim }))
    return isOfOthers ? [...named, { name: own, place, claim }] : named
  })
}

const REPLACING = new Set(
  'replace replaces replacing replacement supersede supersedes superseding instead override overrides overriding prefer preferred shadows shadowing supplants outranks rather'.split(
    ' ',
  ),
)
const OTHERS = new Set(
  'other others original official existing builtin built-in native standard real genuine'.split(' '),
)
const MADE = new Set('tool tools server servers version implementation one'.split(' '))

/** "The original tool", "all other servers". */
function isOthers(sentence: readonly Token[], at: number): boolean {
  if (!OTHERS.has(sentence[at]?.word ?? '')) return false
  return sentence.slice(at + 1, at + 4).some(({ word }) => MADE.has(word))
}

function isName(text: string): boolean {
  if (text.length > MENTIONED_MAX_LENGTH || !/^[A-Za-z][\w-]*$/.test(text)) return false
  return /[a-z0-9]_[a-z0-9]|[a-z0-9][A-Z]|[a-z]-[a-z]/i.test(text) && nameParts(text).length > 1
}
