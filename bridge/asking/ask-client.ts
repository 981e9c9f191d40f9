import type { ToolAnswer } from '../../catalog/question.ts'
import type { Tool } from '../../catalog/tool.ts'
import type { ScreenedQuestion } from './screen-question.ts'

/** What the client that made a call is asked. */
export interface ClientQuestion {
  readonly tool: Tool
  readonly question: ScreenedQuestion
}

/**
 * Asks the client that made a call, during that call. Undefined where it cannot be asked such a thing: then the question
 * goes to whoever decides the caller's approvals. Rejects with the signal's reason.
 */
export type AskClient = (asked: ClientQuestion, signal: AbortSignal) => Promise<ToolAnswer | undefined>

/** Who asks, as people are told. */
export function askerOf({ source, owner }: Pick<Tool, 'source' | 'owner'>): string {
  return `${source === 'mcp' ? 'MCP server' : source} "${owner}"`
}
