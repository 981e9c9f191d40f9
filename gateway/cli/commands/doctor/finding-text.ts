import type { JsonObject } from '../../../../catalog/json.ts'
import { harmless } from '../../output.ts'
import { textOf } from '../failed-answer.ts'

/** One finding of the screening of an MCP tool, for people. */
export function findingText(finding: JsonObject | undefined): string {
  const part = (key: string): string => textOf(finding, key) ?? ''
  return harmless(`${part('kind')} in ${part('place')}, it ${part('reason')}: "${part('quote')}"`)
}
