import { WHITESPACE_RUN_LENGTH } from '../limits.ts'

export interface OddPlace {
  /** Place in the text. */
  readonly start: number
  readonly end: number
  readonly reason: string
}

const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cc}\u2800\u2028\u2029]/gu
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
/** The same of letters alone: a mark of direction says nothing of the text that it stands in. */
const RIGHT_TO_LEFT_SHOWN =
  /(?!\p{Cf})[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
/** Scripts whose letters change their form by a joiner beside them. */
const JOINED_SCRIPT =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u
const PICTURE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u20e3]/u
/** The flags of England, Scotland and others: a black flag and a few tag letters with an end. */
const TAG_FLAG = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/gu

/** Characters that a person does not see. Those that a script or an emoji is written with are no finding. */
export function findHiddenCharacter(text: string): OddPlace | undefined {
  const says = answersOf(text)
  const flags = text.matchAll(TAG_FLAG)
  let flag = flags.next().value
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    while (flag !== undefined && flag.index + flag[0].length <= index) flag = flags.next().value
    if (flag !== undefined && index >= flag.index) continue
    const end = index + character.length
    if (/[\t\n\r]/.test(character)) continue
    const place: Place = { text, says, start: index, end }
    if (isWrittenSo(character, place) || isShown(character, place)) continue
    return { start: index, end, reason: `has the hidden character ${codePoint(character)}` }
  }
  const gap = text.search(WHITESPACE_RUN)
  if (gap === -1) return undefined
  return { start: gap, end: gap + 1, reason: 'has text behind so much white space that nobody looks there' }
}

const WHITESPACE_RUN = new RegExp(`[ \\t\\u00a0\\u3000]{${WHITESPACE_RUN_LENGTH}}|\\n{40}`)

export function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

interface Place {
  readonly text: string
  readonly says: (sign: RegExp) => boolean
  readonly start: number
  readonly end: number
}

/** Whether a text has something, looked for once however often it is asked: a text may be full of such characters. */
function answersOf(text: string): (sign: RegExp) => boolean {
  const answers = new Map<RegExp, boolean>()
  return (sign) => {
    const answer = answers.get(sign) ?? sign.test(text)
    answers.set(sign, answer)
    return answer
  }
}

function isWrittenSo(character: string, { text, says, start, end }: Place): boolean {
  const code = character.codePointAt(0) ?? 0
  const before = lastOf(text.slice(Math.max(0, start - 2), start))
  const after = String.fromCodePoint(text.codePointAt(end) ?? 0)
  switch (code) {
    case 0xfeff:
      return start === 0
    case 0x200c:
      return JOINED_SCRIPT.test(before) && JOINED_SCRIPT.test(after)
    case 0x200d:
      return (
        (JOINED_SCRIPT.test(before) && !/\s/.test(after)) ||
        ((/[\ufe0f]/.test(before) || PICTURE.test(before)) && PICTURE.test(after))
      )
    case 0xfe0e:
    case 0xfe0f:
      return PICTURE.test(before) || /[\p{Emoji}]/u.test(before)
    case 0x200e:
    case 0x200f:
    case 0x061c:
    case 0x2066:
    case 0x2067:
    case 0x2068:
    case 0x2069:
      return says(RIGHT_TO_LEFT_SHOWN)
    default:
      // Numbers and verse marks of Arabic and others are written with format characters of their own.
      return code >= 0x0600 && code <= 0x08ff && says(RIGHT_TO_LEFT)
  }
}

/** A tool about such characters shows one; a run of them carries something. */
function isShown(character: string, { text, says, start, end }: Place): boolean {
  const name = SHOWN_NAMES.find(([characters]) => characters.test(character))?.[1]
  const beside = text.slice(Math.max(0, start - 1), start) + text.slice(end, end + 1)
  return name !== undefined && says(name) && beside.search(HIDDEN) === -1
}

const SHOWN_NAMES: readonly (readonly [RegExp, RegExp])[] = [
  [/\u00ad/, /\bhyphen/i],
  [/[\u200b-\u200d\u2060\ufeff]/, /\bzero[- ]width|\binvisible char|\bbyte[- ]order mark|\bBOM\b/i],
]

function lastOf(text: string): string {
  return Array.from(text).at(-1) ?? ''
}
