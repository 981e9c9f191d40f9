import type { Subject } from '../lexicon/subject.ts'
import { nameParts } from '../lexicon/subject.ts'
import { isMention, isNegated } from '../patterns/mention.ts'
import type { ReadSentence } from '../patterns/read-sentence.ts'

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

/** The signs that a segment has, and the words that show them. */
export function segmentSigns(segment: Segment, subject: Subject): ReadonlyMap<string, string> {
  const { sentence, from, to, part } = segment
  const signs = new Map<string, string>()
  for (let at = from; at < to; at += 1) {
    const [token, found] = [sentence.tokens[at], sentence.classes[at]]
    if (token === undefined || found === undefined) continue
    const shown = [...found.keys()].flatMap((key) => SIGNS_BY_KEY.get(key) ?? [])
    const isDenied = shown.length > 0 && isNegated(sentence.tokens, at, DENIAL_REACH)
    for (const sign of shown) {
      if (isDenied && DENIABLE.has(sign)) signs.set('denied', token.text)
      else if (!signs.has(sign)) signs.set(sign, token.text)
    }
  }
  if (part !== 'purpose') signs.set(part, '')
  if (isOwnTopic(segment, subject)) signs.set('ownTopic', '')
  if (isMention(sentence.tokens, { start: Math.max(from, to - 1), end: to })) signs.set('mention', '')
  if ([...(sentence.classes[from]?.keys() ?? [])].some((name) => name.endsWith('!'))) signs.set('ordered', '')
  if (to - from > 14) signs.set('long', '')
  return signs
}

/** Whether it speaks of what the tool's name and purpose speak of. */
function isOwnTopic({ sentence, from, to }: Segment, { business }: Subject): boolean {
  const roots = new Set([...business].filter((word) => word.length > 3).map((word) => word.slice(0, 5)))
  return sentence.tokens
    .slice(from, to)
    .some(({ word }) => nameParts(word).some((part) => part.length > 3 && roots.has(part.slice(0, 5))))
}
