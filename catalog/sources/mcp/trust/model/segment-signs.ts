import type { Subject } from '../lexicon/subject.ts'
import { nameParts, topicOf } from '../lexicon/subject.ts'
import { isMention, isNegated } from '../patterns/mention.ts'
import { findMatch, pattern } from '../patterns/pattern.ts'
import type { ReadSentence } from '../patterns/read-sentence.ts'
import type { Token } from '../text/sentences.ts'

/** A part of a text that says one thing: a sentence, or what stands in it beside the tool's purpose. */
export interface Segment {
  readonly sentence: ReadSentence
  readonly from: number
  readonly to: number
  /** `purpose` says first what the tool is for, `aside` what it does besides. */
  readonly part: 'purpose' | 'aside' | 'parameter'
}

/** What of a segment each sign stands for; any of the classes or words shows it. */
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  model: ['@model', '@model+'],
  otherTool: ['@otherTool'],
  otherEffect: ['@otherEffect'],
  secret: ['@secret', '@hotSecret', '@secretVariable'],
  secretMaybe: ['@secret+'],
  secretPlace: ['@secretPlace'],
  chat: ['@chat', '@systemPrompt'],
  chatMaybe: ['@chat+'],
  said: ['@saying'],
  user: [
    'user',
    'users',
    'person',
    'human',
    'anyone',
    'nobody',
    'everyone',
    'people',
    'operator',
    'reviewers',
    'owner',
  ],
  you: ['you', 'your', 'yourself'],
  oblige: ['@oblige', 'always', 'never'],
  obligeMaybe: ['@oblige+'],
  order: ['please', 'also', 'then', 'first', 'instead', 'next', 'afterwards', 'additionally'],
  not: ['not', 'never', 'without', 'no'],
  put: ['@put!'],
  putMaybe: ['@put!+'],
  move: ['@move'],
  moveMaybe: ['@move+'],
  read: ['@read'],
  readMaybe: ['@read+'],
  run: ['@run'],
  command: ['@command'],
  risk: ['@risk'],
  riskMaybe: ['@risk+'],
  privileged: ['@privileged', '@shell', '@persistence', '@defence'],
  privilegedMaybe: ['@privileged+', '@persistence+', '@defence+'],
  outside: ['@external', '@email', '@host'],
  outsideMaybe: ['@outside+'],
  url: ['@url'],
  endpoint: ['@endpoint'],
  endpointMaybe: ['@endpoint+'],
  hide: ['@hide', '@quiet', '@stealth', 'hidden', 'secretly', 'confidential'],
  hideMaybe: ['@hide+', '@quiet+'],
  tell: ['@tell!'],
  rule: ['@rule'],
  ruleMaybe: ['@rule+', '@rules+', '@safety', '@safety+'],
  ignore: ['@ignore!', '@bypass!'],
  ignoreMaybe: ['@ignore!+', '@bypass!+'],
  obey: ['@obey!'],
  obeyMaybe: ['@obey+'],
  approved: ['@approved', '@review'],
  approvedMaybe: ['@approved+', '@review+'],
  consent: ['@consent', 'permission', 'permissions', '@consent+'],
  when: ['after', 'once', 'until', 'when', 'whenever', 'before', 'while', 'as', 'soon'],
  later: ['later', 'future', 'tomorrow', 'production', 'days', 'month', 'week', 'hours', 'subsequent', '@number'],
  version: ['@version', '@version+'],
  change: ['@change', '@swap', '@begin'],
  changeMaybe: ['@change+', '@swap+', '@begin+'],
  destroy: ['@destroy'],
  destroyMaybe: ['@destroy+'],
  whole: ['@whole', 'any', 'whatever', 'everything'],
  tools: ['tool', 'tools'],
  unsafe: ['@unsafe', '@unsafe+'],
  place: ['@place'],
  placeMaybe: ['@place+'],
  will: ['will', 'shall', 'going'],
  given: ['@given'],
  content: ['contents', 'content', 'file', 'files', 'environment', 'history', 'directory'],
  ill: ['@ill', '@ill+', 'attacker', 'unrestricted', 'admin', 'root', 'elevated', 'remote'],
}

const SIGNS_BY_KEY: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ...Map.groupBy(
      Object.entries(SIGNS).flatMap(([sign, keys]) => keys.map((key) => ({ sign, key }))),
      ({ key }) => key,
    ),
  ].map(([key, entries]) => [key, entries.map(({ sign }) => sign)] as const),
)

/** What a "not" before it says that the tool does not do. */
const DENIABLE = new Set(
  'put putMaybe move moveMaybe read readMaybe run risk riskMaybe change changeMaybe destroy destroyMaybe'.split(' '),
)
/** Words between a "not" and what it denies. */
const DENIAL_REACH = 2

export interface SegmentSigns {
  /** The signs that a segment has, and the words that show them. */
  readonly shown: ReadonlyMap<string, string>
  /** The signs of each of its words. */
  readonly ofWords: readonly (readonly string[])[]
}

export function segmentSigns(segment: Segment, subject: Subject): SegmentSigns {
  const { sentence, from, to } = segment
  const ofWords: (readonly string[])[] = []
  const shown = new Map<string, string>()
  for (let at = from; at < to; at += 1) {
    const signs = signsAt(sentence, at)
    ofWords.push(signs)
    for (const sign of signs) if (!shown.has(sign)) shown.set(sign, sentence.tokens[at]?.text ?? '')
  }
  for (const sign of signsOfWhole(segment, subject)) shown.set(sign, '')
  return { shown, ofWords }
}

function signsAt({ tokens, classes }: ReadSentence, at: number): readonly string[] {
  const signs = [...new Set([...(classes[at]?.keys() ?? [])].flatMap((key) => SIGNS_BY_KEY.get(key) ?? []))]
  if (!signs.some((sign) => DENIABLE.has(sign)) || !isNegated(tokens, at, DENIAL_REACH)) return signs
  return [...signs.filter((sign) => !DENIABLE.has(sign)), 'denied']
}

function signsOfWhole(segment: Segment, subject: Subject): readonly string[] {
  const { sentence, from, to, part } = segment
  const isOwn = isOwnTopic(segment, subject)
  const first = [...(sentence.classes[from]?.keys() ?? [])]
  const holding: Readonly<Record<string, boolean>> = {
    [part]: part !== 'purpose',
    ownTopic: isOwn,
    // In "adds numbers and reads the mailbox" the tool does something else in the same breath.
    joined: part === 'aside' && from > 0,
    otherTopic: part === 'aside' && !isOwn,
    harmless: part !== 'purpose' && subject.isHarmless,
    vague: subject.isVague,
    setup: subject.isSetup && part !== 'purpose',
    mention: sentence.isSample || isMentioned(segment),
    candid: isCandid(segment),
    ordered: first.some((name) => name.endsWith('!')),
    long: to - from > 14,
  }
  return Object.keys(holding).filter((sign) => holding[sign] === true)
}

/** Whether it only speaks of what it says. In "tells whether it rains and reads the mailbox" the second verb is the tool's again. */
function isMentioned({ sentence: { tokens, classes }, from, to }: Segment): boolean {
  const isAnew = from > 0 && isThird(tokens[0], classes[0]) && isThird(tokens[from + 1], classes[from + 1])
  const part = isAnew ? tokens.slice(from + 1, to) : tokens
  const end = isAnew ? part.length : to
  return isMention(part, { start: Math.max(isAnew ? 0 : from, end - 1), end })
}

/** The opposite of concealment: the user is asked or told, the model warned. */
const CANDID = [
  'ask|asks|asking|confirm|confirms|explain|explains|warn|warns|show|shows|tell|tells|inform|informs|notify|notifies|remind|check|consult ~3 @user',
  '@user ~3 confirm|confirms|confirmed|agree|agrees|approve|approves|approved|decide|decides|choose|chooses|insists',
  'ask|wait|waits|get|requires|require|needs ~2 @consent',
  'confirm|check ~1 with|first|before',
  // What others wrote is not to be obeyed.
  'not|never ~1 follow|obey|execute|act|trust ~3 instructions|orders|commands|requests|directives ~6 returned|found|contained|embedded|inside|in|from|untrusted',
].map(pattern)

function isCandid({ sentence, from, to }: Segment): boolean {
  return CANDID.some((said) => {
    const match = findMatch(said, sentence, from)
    return match !== undefined && match.start < to && !isNegated(sentence.tokens, match.start)
  })
}

/** Whether a word is a verb in the form of "reads". */
function isThird(token: Token | undefined, classes: ReadonlyMap<string, number> | undefined): boolean {
  if (token?.word.endsWith('s') !== true || classes === undefined) return false
  return ![...classes.keys()].some((name) => name.endsWith('!'))
}

/** Whether it speaks of what the tool's name and purpose speak of. */
function isOwnTopic({ sentence, from, to }: Segment, { topics }: Subject): boolean {
  return sentence.tokens
    .slice(from, to)
    .some(({ word }) => nameParts(word).some((part) => topics.has(topicOf(part) ?? '')))
}
