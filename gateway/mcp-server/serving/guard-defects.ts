import type { ServerContext } from '@modelcontextprotocol/server'
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { HttpError } from '../../http/http-error.ts'
import type { Entry } from './caller-book.ts'

export interface DefectDeps {
  readonly entryOf: (context: ServerContext) => Entry
  readonly onDefect: (error: unknown, requestId: string) => void
}

/** Answers a request; a defect goes to the log, and to the client as no more than the id that it stands under there. */
export async function guardDefects<Result>(
  context: ServerContext,
  deps: DefectDeps,
  answer: (entry: Entry) => Promise<Result>,
): Promise<Result> {
  const entry = deps.entryOf(context)
  try {
    return await answer(entry)
  } catch (error) {
    // Nobody reads the answer of a request that was cancelled.
    if (error instanceof ProtocolError || context.mcpReq.signal.aborted) throw error
    if (error instanceof HttpError) throw new ProtocolError(ProtocolErrorCode.InternalError, error.message)
    deps.onDefect(error, entry.requestId)
    const message = `internal error; the log has the details under request id ${entry.requestId}`
    throw new ProtocolError(ProtocolErrorCode.InternalError, message)
  }
}
