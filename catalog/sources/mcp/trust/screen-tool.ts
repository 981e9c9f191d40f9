import type { ToolDefinition } from '../../../tool.ts'
import { codePoint, findHiddenCharacter } from './characters/hidden-characters.ts'
import type { OddPlace } from './characters/hidden-characters.ts'
import { findDisguisedName, findDisguisedWord } from './characters/disguised-word.ts'
import { addressProblem, commandProblem, findPayload } from './encoding/command-text.ts'
import { decodedRuns } from './encoding/decoded-runs.ts'
import { hidesAddress, TURNINGS } from './encoding/turned-text.ts'
import type { Subject } from './lexicon/subject.ts'
import { ENCODED_MAX_LAYERS, FINDINGS_MAX, QUOTE_MAX_LENGTH } from './limits.ts'
import { posedName } from './names/posed-name.ts'
import { tellingName } from './names/telling-name.ts'
import { readSegments } from './model/read-segments.ts'
import { suspicionOf } from './model/suspicion.ts'
import type { RuleMatch } from './patterns/apply-rules.ts'
import { applyRules } from './patterns/apply-rules.ts'
import { findFakeMarkup } from './patterns/markup.ts'
import { findForeignOrder } from './patterns/other-languages.ts'
import type { ReadSentence } from './patterns/read-sentence.ts'
import { readSentences } from './patterns/read-sentence.ts'
import type { ScreeningFinding, ScreeningKind } from './screening-finding.ts'
import { plainText } from './text/plain-text.ts'
import { purposeLength, subjectOf } from './text/purpose.ts'
import type { Sentence } from './text/sentences.ts'
import { sentencesOf } from './text/sentences.ts'
import type { ReadTexts, ToolText } from './text/tool-texts.ts'
import { toolTexts } from './text/tool-texts.ts'
import { unlikeSentences } from './text/unlike-sentences.ts'

export interface ScreenedTool extends Pick<
  ToolDefinition,
  'name' | 'title' | 'description' | 'outputSchema' | 'listing'
> {
  readonly inputSchema?: ToolDefinition['inputSchema']
}

interface Found extends ScreeningFinding {
  readonly weight: 'strong' | 'weak'
}

/**
 * Reads what a tool says of itself for what is meant for a model and not for its user. `siblings` are the names of
 * the tools of its server by `normalNames`: it may speak of those. Work is bounded whatever the texts are; the same texts always give
 * the same findings. A finding is a reason to look, not a proof.
 */
export function screenTool(tool: ScreenedTool, siblings: ReadonlySet<string> = new Set()): readonly ScreeningFinding[] {
  return toldOf([...posedName(tool), ...textsFound(toolTexts(tool), subjectOf(tool, siblings))])
}

/** The same for texts of what is no tool. */
export function screenTexts(texts: ReadTexts, subject: Subject): readonly ScreeningFinding[] {
  return toldOf(textsFound(texts, subject))
}

/** What was not read is a finding too: nobody knows what it says. */
function textsFound({ texts, unread }: ReadTexts, subject: Subject): readonly Found[] {
  const end = { start: 0, end: QUOTE_MAX_LENGTH, reason: 'has more text, or nests deeper, than is read' }
  // Told first: whoever writes so much can have the rest found in it fill the list.
  const found: Found[] = unread === undefined ? [] : [foundAt('unread-text', end, unread)]
  for (const text of texts) found.push(...screenText(text, subject, 0))
  return found
}

function toldOf(found: readonly Found[]): readonly ScreeningFinding[] {
  const weak = new Set(found.filter(({ weight }) => weight === 'weak').map(({ reason }) => reason))
  const told = found.filter(({ weight }) => weight === 'strong' || weak.size > 1)
  return told.slice(0, FINDINGS_MAX).map(({ weight: _weight, ...finding }) => finding)
}

function screenText(text: ToolText, subject: Subject, layer: number): readonly Found[] {
  const seen = [findHiddenCharacter(text.text), findDisguisedWord(text.text)].flatMap((odd) =>
    odd === undefined ? [] : [foundAt('hidden-characters', odd, text)],
  )
  if (text.role === 'name' || text.role === 'parameter-name') return [...seen, ...nameFound(text, subject, seen)]
  const plain = { ...text, text: plainText(text.text) }
  const markup = findFakeMarkup(plain.text)
  const foreign = findForeignOrder(plain.text)
  const sentences = sentencesOf(plain.text)
  const found = proseFound(plain, { sentences: readSentences(sentences, subject), subject, layer })
  return [
    ...seen,
    ...payloadFound(plain),
    ...(markup === undefined ? [] : [foundAt('fake-system-message', markup, plain)]),
    ...(foreign === undefined ? [] : [foundAt('instruction-override', foreign, plain)]),
    ...found,
    ...turnedMatches(plain, { sentences, subject, found }),
    ...(layer < ENCODED_MAX_LAYERS ? encodedFound(plain, subject, layer) : []),
  ]
}

/** What a tool does with a value that nobody chose. */
function payloadFound(text: ToolText): readonly Found[] {
  const payload = text.place.endsWith('.default') ? findPayload(text.text) : undefined
  if (payload === undefined) return []
  return [foundAt('capability-mismatch', { ...payload, reason: 'does something by its default value' }, text)]
}

/** What a name poses as, and what that of a parameter asks for. */
function nameFound(text: ToolText, subject: Subject, seen: readonly Found[]): readonly Found[] {
  const disguised = seen.length === 0 ? findDisguisedName(text.text) : undefined
  const reason = text.role === 'parameter-name' ? tellingName(text.text, subject) : undefined
  return [
    ...(disguised === undefined ? [] : [foundAt('hidden-characters', disguised, text)]),
    ...(reason === undefined ? [] : [foundAt('data-exfiltration', { start: 0, end: text.text.length, reason }, text)]),
  ]
}

function ruleMatches(text: ToolText, subject: Subject, sentences: readonly ReadSentence[]): readonly RuleMatch[] {
  const purpose = text.place === 'description' ? purposeLength(sentences[0]?.tokens ?? []) : 0
  return applyRules({ sentences, subject, role: text.role, purposeLength: purpose })
}

interface ReadProse {
  readonly sentences: readonly ReadSentence[]
  readonly subject: Subject
  readonly layer: number
}

/** What rules say of a text; and where none is sure, what the model says of its parts. */
function proseFound(text: ToolText, { sentences, subject, layer }: ReadProse): readonly Found[] {
  const found = ruleMatches(text, subject, sentences).map((match) => ofRule(match, text))
  // What has been decoded is about anything; the model would take every sentence that is off the tool's topic for an aside.
  if (layer > 0 || found.some(isStrong)) return found
  const suspected = readSegments(text, sentences).flatMap((segment) => {
    const suspicion = suspicionOf(segment, subject)
    const [first, last] = [segment.sentence.tokens[segment.from], segment.sentence.tokens[segment.to - 1]]
    if (suspicion === undefined || first === undefined || last === undefined) return []
    const reason = `reads like what is meant for the model and not for its user: ${suspicion.words.join(', ')}`
    return [foundAt(suspicion.kind, { start: first.start, end: last.end, reason }, text)]
  })
  return [...found, ...suspected]
}

function ofRule({ rule, start, end }: RuleMatch, text: ToolText): Found {
  return { ...foundAt(rule.kind, { start, end, reason: rule.reason }, text), weight: rule.weight }
}

interface PlainReading {
  readonly sentences: readonly Sentence[]
  readonly subject: Subject
  readonly found: readonly Found[]
}

/** Instructions that are nonsense to a search and plain to a model. What stands there plainly is found already. */
function turnedMatches(text: ToolText, { sentences, subject, found }: PlainReading): readonly Found[] {
  const known = new Set(found.map(({ reason }) => reason))
  return TURNINGS.flatMap(({ way, turn }) => {
    const turned = turn(text.text)
    if (turned === undefined) return []
    const inner = { ...text, text: turned }
    const turnedSentences = unlikeSentences(sentencesOf(turned), sentences)
    const strong = ruleMatches(inner, subject, readSentences(turnedSentences, subject)).find(
      ({ rule }) => rule.weight === 'strong' && !known.has(rule.reason),
    )
    const said = strong?.rule.reason ?? (hidesAddress(text.text, turned) ? 'names an address' : undefined)
    if (said === undefined) return []
    const quote = { start: 0, end: Math.min(text.text.length, QUOTE_MAX_LENGTH) }
    return [foundAt('encoded-payload', { ...quote, reason: `${way} ${said}` }, text)]
  })
}

function encodedFound(text: ToolText, subject: Subject, layer: number): readonly Found[] {
  return decodedRuns(text.text).flatMap(({ start, end, encoding, text: decoded }) => {
    const inner = { ...text, place: 'decoded', text: decoded, role: 'prose' as const }
    const isExample = EXAMPLE.test(text.text.slice(Math.max(0, start - EXAMPLE_LENGTH), start))
    const problem =
      commandProblem(decoded) ??
      (isExample ? undefined : addressProblem(decoded)) ??
      screenText(inner, subject, layer + 1).find(isStrong)?.reason
    if (problem === undefined) return []
    const reason = `${encoding} that decodes to ${problem}: ${quoteOf(decoded)}`
    return [foundAt('encoded-payload', { start, end, reason }, text)]
  })
}

/** Whoever shows how an address looks encoded says so; a command is none that one would show so. */
const EXAMPLE = /\b(?:such as|like|e\.g\.|for example|for instance|example:?)[\s"'`]{1,3}$/i
const EXAMPLE_LENGTH = 20

function isStrong({ weight }: Found): boolean {
  return weight === 'strong'
}

function foundAt(
  kind: ScreeningKind,
  { start, end, reason }: OddPlace,
  { place, text }: Pick<ToolText, 'place' | 'text'>,
): Found {
  const [from, to] = kind === 'hidden-characters' ? [Math.max(0, start - 20), end + 20] : [start, end]
  return { kind, place, quote: quoteOf(text.slice(from, to)), reason, weight: 'strong' }
}

/** For a terminal or a page: nothing in it is hidden, moves a cursor or turns the line around. */
function quoteOf(text: string): string {
  const shown = text
    .slice(0, QUOTE_MAX_LENGTH)
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{C}\u2800]/gu, codePoint)
  return shown.length <= QUOTE_MAX_LENGTH ? shown : `${shown.slice(0, QUOTE_MAX_LENGTH - 1).toWellFormed()}…`
}
