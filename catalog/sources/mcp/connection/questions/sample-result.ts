import type { CreateMessageResult } from '@modelcontextprotocol/client'
import { isSpecType } from '@modelcontextprotocol/client'
import type { ToolAnswer } from '../../../../question.ts'

/** What a model answered, as a server is told it; undefined where that is no, or nothing that could be told. */
export function sampleResultOf(answer: ToolAnswer): CreateMessageResult | undefined {
  const result: unknown = answer.action === 'accept' ? answer.content : undefined
  return isSpecType.CreateMessageResult(result) ? result : undefined
}

/** Why there is none. */
export function refusalOf(answer: ToolAnswer): string {
  if (answer.action === 'accept') return 'what came is none'
  return answer.reason ?? (answer.action === 'decline' ? 'it was declined' : 'nobody answered')
}
