import { readSegments } from '../../catalog/sources/mcp/trust/model/read-segments.ts'
import { segmentSigns } from '../../catalog/sources/mcp/trust/model/segment-signs.ts'
import { segmentFeatures } from '../../catalog/sources/mcp/trust/model/segment-features.ts'
import { readSentences } from '../../catalog/sources/mcp/trust/patterns/read-sentence.ts'
import type { ScreenedTool } from '../../catalog/sources/mcp/trust/screen-tool.ts'
import { plainText } from '../../catalog/sources/mcp/trust/text/plain-text.ts'
import { subjectOf } from '../../catalog/sources/mcp/trust/text/purpose.ts'
import { sentencesOf } from '../../catalog/sources/mcp/trust/text/sentences.ts'
import { toolTexts } from '../../catalog/sources/mcp/trust/text/tool-texts.ts'

/** Texts of one tool that are learned from: a description, and the first parameters. */
const TEXTS_LEARNED_FROM = 8

/** The features of every segment of a tool, as the product reads them. */
export function toolSigns(tool: ScreenedTool, siblings: ReadonlySet<string>): readonly (readonly string[])[] {
  const subject = subjectOf(tool, siblings)
  const texts = toolTexts(tool).texts.filter(({ role }) => role !== 'name' && role !== 'parameter-name')
  return texts.slice(0, TEXTS_LEARNED_FROM).flatMap((text) => {
    const sentences = readSentences(sentencesOf(plainText(text.text)), subject)
    return readSegments(text, sentences).map((segment) => segmentFeatures(segment, segmentSigns(segment, subject)))
  })
}
