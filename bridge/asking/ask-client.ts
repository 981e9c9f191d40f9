import type { ToolAnswer } from '../../catalog/question.ts'
import type { Tool } from '../../catalog/tool.ts'
import type { Pending } from '../approval.ts'
import type { ScreenedQuestion } from './screen-question.ts'

/** What the client that made a call is asked. */
export interface ClientQuestion {
  readonly tool: Tool
  readonly question: ScreenedQuestion
}

/** The client that made a call, as far as it can be asked things during that call. */
export interface AskClient {
  /**
   * Undefined where it cannot be asked such a thing: then the question goes to whoever decides the caller's approvals.
   * Rejects with the signal's reason.
   */
  ask(asked: ClientQuestion, signal: AbortSignal): Promise<ToolAnswer | undefined>
  /** Somebody else is asked, until the given function is called: the client may be told what its call waits for. */
  readonly waits: (pending: Pending) => () => void
}

/** Who asks, as people are told; with what there is to say of it. */
export function askerOf({ source, owner }: Pick<Tool, 'source' | 'owner'>, remark?: string): string {
  const asker = `${source === 'mcp' ? 'MCP server' : source} "${owner}"`
  return remark === undefined ? asker : `${asker} (${remark})`
}
