import { TOOL_ID_MAX_LENGTH } from '../limits.ts'
import { asciiLookAlike } from './confusables.ts'

/** Scripts that are written together in one word: Japanese, Korean and Chinese beside each other, each beside Latin. */
const WRITTEN_TOGETHER: readonly ReadonlySet<string>[] = [
  new Set(['Latin', 'Han', 'Hiragana', 'Katakana']),
  new Set(['Latin', 'Han', 'Hangul']),
  new Set(['Latin', 'Han', 'Bopomofo']),
]

/** Scripts with letters that look like those of another; words of other scripts are told apart at sight. */
const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  'Latin',
  'Greek',
  'Cyrillic',
  'Armenian',
  'Cherokee',
  'Coptic',
  'Georgian',
  'Hebrew',
  'Arabic',
  'Devanagari',
  'Thai',
  'Hangul',
  'Hiragana',
  'Katakana',
  'Han',
  'Bopomofo',
  'Canadian_Aboriginal',
  'Lisu',
].map((name) => [name, new RegExp(`\\p{Script=${name}}`, 'u')] as const)

const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Looks like a common space, hyphen, underscore, dot, colon or slash, and is none. */
const ODD_PUNCTUATION = /[\p{Zs}\p{Pd}\u2212\u02d7\ufe58\u2024\ua4fa\u0589\u05c3\u02d0\ua789\u2236\uff1a\u2044\u2215]/u

/**
 * Why a tool's name could deceive whoever reads or approves a call of it, or undefined. A tool with such a name is
 * quarantined. `id` is the whole id where it is known: it must not be longer than an id may be.
 */
export function nameProblem(name: string, id: string = name): string | undefined {
  if (name.trim() === '') return 'name is empty'
  if (id.length > TOOL_ID_MAX_LENGTH)
    return `name makes an id of ${id.length} characters, more than ${TOOL_ID_MAX_LENGTH}`
  // The many names that are plain need no closer look.
  if (/^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/.test(name)) return undefined
  return hiddenProblem(name) ?? formProblem(name) ?? scriptProblem(name)
}

function hiddenProblem(name: string): string | undefined {
  const hidden = HIDDEN.exec(name)?.[0]
  if (hidden !== undefined) return `name has the hidden character ${codePoint(hidden)}`
  if (name !== name.trim() || name.includes('  ')) return 'name starts or ends with a space, or has two in a row'
  const odd = Array.from(name).find((character) => !/[ -~]/.test(character) && ODD_PUNCTUATION.test(character))
  return odd === undefined ? undefined : `name has ${codePoint(odd)}, which looks like common punctuation`
}

/** Full-width and mathematical letters, and letters with loose marks, look like others that they are not equal to. */
function formProblem(name: string): string | undefined {
  if (name !== name.normalize('NFC')) return 'name is not in Unicode normal form C: another name looks the same'
  const compatible = Array.from(name).find((character) => character !== character.normalize('NFKC').normalize('NFC'))
  if (compatible !== undefined)
    return `name has ${codePoint(compatible)}, which looks like "${compatible.normalize('NFKC')}"`
  return /\p{M}{3,}/u.test(name) ? 'name stacks more marks on a letter than can be read' : undefined
}

function scriptProblem(name: string): string | undefined {
  const words = name.match(/[\p{L}\p{M}]+/gu) ?? []
  for (const word of words) {
    const scripts = scriptsOf(word)
    const isMixed =
      scripts.size > 1 && !WRITTEN_TOGETHER.some((together) => [...scripts].every((script) => together.has(script)))
    if (isMixed) return `name mixes letters of ${[...scripts].join(' and ')} that look alike in one word`
    const ascii = asciiReading(word)
    if (ascii !== undefined)
      return `name has a word of ${[...scripts].join(' and ')} letters that looks like "${ascii}"`
  }
  return undefined
}

function scriptsOf(word: string): ReadonlySet<string> {
  const scripts = Array.from(word).flatMap((letter) =>
    SCRIPTS.filter(([, script]) => script.test(letter)).map(([name]) => name),
  )
  return new Set(scripts)
}

/** The ASCII word that this one is taken for: every letter of it has a double, and one at least is not ASCII. */
function asciiReading(word: string): string | undefined {
  if (/^[A-Za-z]*$/.test(word)) return undefined
  const letters = Array.from(word).map((letter) => (/[A-Za-z]/.test(letter) ? letter : asciiLookAlike(letter)))
  return letters.every((letter) => letter !== undefined) ? letters.join('') : undefined
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
