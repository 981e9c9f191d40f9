import type { Subject } from '../lexicon/subject.ts'
import { isHarmlessTopic, isSetupTopic, isVagueTopic } from '../lexicon/harmless-topics.ts'
import { nameParts, normalNames, topicOf } from '../lexicon/subject.ts'
import { isJsonObject } from '../../../../json.ts'
import type { ToolDefinition } from '../../../../tool.ts'
import { PURPOSE_MAX_TOKENS, PARAMETERS_MAX } from '../limits.ts'
import { plainText } from './plain-text.ts'
import type { Sentence } from './sentences.ts'
import { sentencesOf } from './sentences.ts'

/** Words with which something else begins than what a tool says first that it is for. */
const TURNS = new Set(['and', 'then', 'while', 'also', 'plus', 'after', 'before', 'but', 'once', 'when', 'whenever'])

const SAMPLES = new Set(
  'canned mock mocked sample samples fixture fixtures stub stubs dummy placeholder tests testing corpus dataset'.split(
    ' ',
  ),
)

/** How many words of the first sentence say what the tool is for. */
export function purposeLength(sentence: Sentence): number {
  const end = sentence.findIndex(
    (token, index) => index > 1 && (TURNS.has(token.word) || sentence[index - 1]?.isBeforeBreak === true),
  )
  return end === -1 ? sentence.length : end
}

type Described = Pick<ToolDefinition, 'name' | 'title' | 'description'> & {
  readonly inputSchema?: ToolDefinition['inputSchema']
}

export function subjectOf(tool: Described, siblings: ReadonlySet<string>): Subject {
  const [first = []] = sentencesOf(plainText(tool.description.slice(0, PURPOSE_MAX_TOKENS * 20)))
  const purpose = first
    .slice(0, Math.min(purposeLength(first), PURPOSE_MAX_TOKENS))
    .flatMap(({ word }) => nameParts(word))
  const properties = tool.inputSchema?.['properties']
  const parameters = isJsonObject(properties) ? Object.keys(properties).slice(0, PARAMETERS_MAX) : []
  const business = new Set([...nameParts(tool.name), ...nameParts(tool.title ?? ''), ...purpose])
  return {
    ownNames: normalNames([tool.name, ...parameters]),
    siblings,
    business,
    topics: new Set([...business].flatMap((word) => topicOf(word) ?? [])),
    isHarmless: isHarmlessTopic(business),
    isVague: isVagueTopic(business),
    isSetup: isSetupTopic(business),
    givesSamples: first.some(({ word }) => SAMPLES.has(word)),
  }
}
