import type { Sentence } from '../text/sentences.ts'
import { classesOfWord } from './words.ts'

/** The tool that is screened, as far as its own texts have to be read by it. */
export interface Subject {
  /** Names that are no other tool's: its own and its parameters'. */
  readonly ownNames: ReadonlySet<string>
  /** Of the tools of its server: it may speak of those. */
  readonly siblings: ReadonlySet<string>
  /** Words of its name and title, and of what it says first that it is for. */
  readonly business: ReadonlySet<string>
  /** The longer of those by their first letters. */
  readonly topics: ReadonlySet<string>
  /** Whether that needs its input and nothing else; or says nothing. */
  readonly isHarmless: boolean
  readonly isVague: boolean
  /** Whether the other tools of its server need it first. */
  readonly isSetup: boolean
  /** Whether it says first that it gives samples of text: what it labels as one is spoken of. */
  readonly givesSamples: boolean
}

/** Parts of a name that make an identifier the name of a tool rather than of a field. */
const ACTIONS = new Set(
  'get set list create delete update send read write search find fetch add remove run execute call deploy transfer make post put query open close start stop invoke trigger submit upload download move copy edit modify insert select drop pay buy sell order book cancel approve merge push pull commit publish sync export import login exec check scan release generate compute calculate forward reply notify lookup resolve verify validate authenticate register grant save load sync rename assign'.split(
    ' ',
  ),
)

/** Verbs that name fields as often as tools: `schedule_meeting` is a tool, `schedule_id` is none. */
const AMBIGUOUS_ACTIONS = new Set(
  'draft schedule archive restore rotate reset purge truncate wipe kill convert translate summarize charge refund mint decrypt encrypt unlock install uninstall restart spawn show view browse click navigate capture record apply revert rollback clone reopen withdraw deposit wire analyze configure prepare compile print mail stage scan post invite share grant rename replace resize render parse'.split(
    ' ',
  ),
)
const FIELDS = new Set(
  'id ids name names type types key keys at date dates time by level mode count counts status url uri path size limit format number code codes text color index only data hash'.split(
    ' ',
  ),
)

/** A word as topics are compared: by its first letters, and not at all where it is short. */
export function topicOf(word: string): string | undefined {
  return word.length > 3 ? word.slice(0, 5) : undefined
}

/** How many words name another tool at `at`; 0 for none. */
export function otherToolAt(sentence: Sentence, at: number, subject: Subject): number {
  const [token, next, third] = [sentence[at], sentence[at + 1], sentence[at + 2]]
  if (token === undefined) return 0
  if (isToolWord(next?.word) && isOther(token.word)) return 2
  if (isToolWord(third?.word) && isOther(token.word)) return 3
  if (isToolWord(next?.word) && sentence[at - 1]?.word === 'the' && isSubject(token.word, subject)) return 2
  const parts = nameParts(token.text)
  if (parts.length < 2 || !/^[A-Za-z]\w*$/.test(token.text)) return 0
  const name = parts.join('_')
  if (subject.ownNames.has(name) || subject.siblings.has(name)) return 0
  const isAction = AMBIGUOUS_ACTIONS.has(parts[0] ?? '') && !FIELDS.has(parts.at(-1) ?? '')
  const isOfTool = isAction || isTheftName(token.text) || isToolWord(next?.word)
  return isOfTool || parts.some((part) => ACTIONS.has(part)) ? 1 : 0
}

/** Whether a name says that secrets are taken: `log_credentials`, `steal_data`. */
export function isTheftName(name: string): boolean {
  const [first = '', ...rest] = nameParts(name)
  if (STEALING.has(first)) return rest.length > 0
  return TAKING.has(first) && rest.some((part) => classesOfWord(part).includes('secret'))
}

const STEALING = new Set(['steal', 'exfiltrate', 'siphon', 'exfil'])
const TAKING = new Set(['extract', 'harvest', 'dump', 'collect', 'capture', 'log', 'leak', 'grab', 'send', 'upload'])

/** Whether a name says that something is changed. */
export function isEffectName(name: string): boolean {
  return nameParts(name).some((part) => classesOfWord(part).includes('effect'))
}

/** Words of a name: `createEvent`, `create-event` and `create_event` are all the same two. */
export function nameParts(name: string): readonly string[] {
  // Most are a single word, and need not be taken apart.
  if (/^[a-z]+$/.test(name)) return [name]
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '')
}

/** Names as a text may write them; made once for all tools of a server. */
export function normalNames(names: Iterable<string>): ReadonlySet<string> {
  return new Set(Array.from(names, normalName))
}

function normalName(name: string): string {
  return nameParts(name).join('_')
}

/** In "the gmail tool" the word names a tool; in "the right tool" it does not. */
const DESCRIBING = new Set(
  'this that same following new right best appropriate next previous current given selected available first last main only mcp ai cli command line specified correct relevant whole entire underlying actual matching chosen requested search'.split(
    ' ',
  ),
)

function isSubject(word: string, subject: Subject): boolean {
  return /^[a-z][\w]+$/.test(word) && !DESCRIBING.has(word) && !subject.business.has(word)
}

function isToolWord(word: string | undefined): boolean {
  return word === 'tool' || word === 'tools'
}

function isOther(word: string): boolean {
  return word === 'other' || word === 'another'
}
