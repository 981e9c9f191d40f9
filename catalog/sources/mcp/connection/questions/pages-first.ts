import type { CallToolResult } from '@modelcontextprotocol/client'
import { UrlElicitationRequiredError } from '@modelcontextprotocol/client'
import { isJsonObject } from '../../../../json.ts'
import { PAGES_PER_CALL_MAX } from '../../limits.ts'
import type { CallQuestions } from './call-questions.ts'
import { readElicitation } from './read-question.ts'

/**
 * Sends a call; where the server refuses it until pages were opened (error -32042 of revision 2025-11-25), asks for each,
 * and sends it once more when all were. The refused call has done nothing.
 */
export async function pagesFirst(
  send: () => Promise<CallToolResult>,
  { questions, signal }: { readonly questions: CallQuestions; readonly signal: AbortSignal },
): Promise<CallToolResult> {
  try {
    return await send()
  } catch (error) {
    if (!(error instanceof UrlElicitationRequiredError)) throw error
    // As the server sent it: the SDK looks at none of it.
    const pages: unknown = error.elicitations
    if (!Array.isArray(pages) || pages.length === 0 || pages.length > PAGES_PER_CALL_MAX) throw error
    for (const page of pages) {
      const asked: unknown = isJsonObject(page) ? { ...page, mode: 'url' } : undefined
      const answer = await questions.ask(readElicitation(asked), signal)
      if (answer.action !== 'accept') throw error
    }
    return send()
  }
}
