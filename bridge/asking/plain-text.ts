/** What is not seen, or changes how the rest is seen: controls, formats, fillers, private and unassigned characters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800\u2028\u2029]/gu
const HIDDEN = /(?![\n\r\t])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/gu
const UNSEEN_BUT_BREAKS = /(?!\n)[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800\u2028\u2029]/gu

/** Takes secrets out of a text. */
export type Redact = (text: string) => string

/**
 * A stranger's words as a person sees them: lines stay, what is hidden goes, and what is too long is cut where one sees it.
 * Secrets go in between: what is hidden may part one from within, and what is cut off of one may be enough.
 */
export function plainText(text: string, maxLength: number, redact: Redact = asItIs): string {
  return cut(redact(seenText(text)), maxLength)
}

/** The same on one line. */
export function plainLine(text: string, maxLength: number, redact: Redact = asItIs): string {
  return cut(redact(seenText(text).replaceAll(/\s+/g, ' ')), maxLength)
}

function asItIs(text: string): string {
  return text
}

function seenText(text: string): string {
  return (
    text
      .toWellFormed()
      .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
      .replaceAll('\t', ' ')
      .replaceAll(UNSEEN_BUT_BREAKS, '')
      // Behind many empty lines, or far to the right, nobody looks.
      .replaceAll(/[^\S\n]{3,}/g, '  ')
      .replaceAll(/\n\s*\n\s*\n/g, '\n\n')
      .trim()
  )
}

/** All of a text but what is hidden, its white space as it is: for what a model reads, and may not be told unseen. */
export function visibleText(text: string): string {
  return text.toWellFormed().replaceAll(HIDDEN, '')
}

/** Whether a person sees all of it: for what comes back as it stands, and so cannot be cleaned. */
export function isPlain(text: string): boolean {
  return text.isWellFormed() && text.search(UNSEEN) === -1
}

function cut(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`
}
