import type { ElicitResult } from '@modelcontextprotocol/client'
import type { ToolAnswer } from '../../../../question.ts'

/** What a person answered, as a server is told it. */
export function elicitResultOf(answer: ToolAnswer): ElicitResult {
  if (answer.action !== 'accept') return { action: answer.action }
  const content: Record<string, string | number | boolean | string[]> = {}
  for (const [key, value] of Object.entries(answer.content)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') content[key] = value
    else if (Array.isArray(value)) content[key] = value.filter((item) => typeof item === 'string')
  }
  return { action: 'accept', content }
}
