import type { Subject } from '../lexicon/subject.ts'
import { nameParts } from '../lexicon/subject.ts'
import type { Pattern } from '../patterns/pattern.ts'
import { findMatch, pattern } from '../patterns/pattern.ts'
import { readSentences } from '../patterns/read-sentence.ts'
import { sentencesOf } from '../text/sentences.ts'

/**
 * Why the name of a parameter is more than a name: a model reads `content_from_reading_ssh_id_rsa` for what it is to put
 * there, though nothing else of the tool says so. Undefined for any other name.
 */
export function tellingName(name: string, subject: Subject): string | undefined {
  if (!MAY_TELL.test(name) || isOfBusiness(name, subject)) return undefined
  const [sentence] = readSentences(sentencesOf(nameParts(name).join(' ')), subject)
  if (sentence === undefined) return undefined
  const holds = (said: Pattern): boolean => findMatch(said, sentence, 0) !== undefined
  if (ORDERS.some(holds)) return 'is a name that says what to fetch and put there'
  // Whoever adds numbers has no use for it; a chat tool has.
  if (subject.isHarmless && CONTEXT.some(holds)) return 'is a name that asks for what the model was told'
  return undefined
}

/** Names without one of these are read no further; most are. */
const MAY_TELL =
  /from|(?:^|_)of_|Of[A-Z]|also|please|must|always|first|then|prompt|conversation|history|messages|thought/i

const ORDERS = [
  'contents|content|value|output|text|data|result from|of ~3 @secret|@secretPlace|@chat|id|ssh|env|bashrc|passwd|home',
  '@secret from ~1 user|owner|customer|vault|keychain|environment',
  'also|please|must|always|first|then ~1 include|add|read|send|pass|put|attach|fetch|copy ~3 @secret|@secretPlace|@chat|@systemPrompt|ssh|env',
].map(pattern)

const CONTEXT = [
  '@systemPrompt',
  'conversation|chat|message|dialogue ~0 history|log|messages|context',
  'previous|prior|earlier|all|user ~0 messages|prompts',
  'chain of thought',
].map(pattern)

/** A tool for keys or for talk may ask for them. */
function isOfBusiness(name: string, { business }: Subject): boolean {
  return nameParts(name).some((part) => part.length > 2 && business.has(part) && !COMMON.has(part))
}

const COMMON = new Set(
  'content contents data text value result output from reading read include also note notes save add all and for the you'.split(
    ' ',
  ),
)
