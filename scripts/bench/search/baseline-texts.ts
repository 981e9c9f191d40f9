import { toolTexts } from '../../../catalog/search/index/tool-texts.ts'
import type { TextReader } from '../../../catalog/search/text/text-reader.ts'
import { createTextReader } from '../../../catalog/search/text/text-reader.ts'
import type { Tool } from '../../../catalog/tool.ts'

/** Fields that the baselines index; the same texts as ours, so that only the ranking differs. */
export interface BaselineFields {
  readonly name: string
  readonly owner: string
  readonly description: string
  readonly parameters: string
}

export const BASELINE_FIELDS = ['name', 'owner', 'description', 'parameters'] as const

export function baselineFields(tool: Tool): BaselineFields {
  const texts = toolTexts(tool)
  return {
    name: texts.name,
    owner: texts.owner,
    description: texts.description,
    parameters: `${texts.parameterNames} ${texts.parameterTexts}`,
  }
}

/** Our splitting, stop words and stems, given to every library: as they come they are far worse. */
export function createBaselineTerms(): (text: string) => string[] {
  const reader: TextReader = createTextReader()
  return (text) => reader.termsOf(text)
}
