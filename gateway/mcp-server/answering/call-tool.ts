import { randomUUID } from 'node:crypto'
import type { CallToolResult, Server, ServerContext } from '@modelcontextprotocol/server'
import type { Mode } from '../../../bridge/presentation/presentation.ts'
import type { Caller } from '../../../catalog/caller.ts'
import type { Authenticated } from '../../auth/authenticate.ts'
import type { Presenter } from '../../presenting/presenter.ts'
import { createProgressNotes } from './progress-notes.ts'
import type { SearchMemories } from './search-memories.ts'
import { toolAnswer } from './tool-answer.ts'

export interface AnswerDeps {
  readonly presenter: Presenter
  readonly modeOf: (caller: Caller) => Mode
  readonly memories: SearchMemories
  readonly onError: (error: unknown) => void
  readonly now: () => number
}

/** The request that is being answered, and for whom. */
export interface Asking {
  readonly server: Server
  readonly context: ServerContext
  readonly authenticated: Authenticated
}

export interface CallParams {
  readonly name: string
  readonly arguments?: Readonly<Record<string, unknown>> | undefined
}

/** One call by the presentation in force, whatever that shows; it ends in the one dispatch. */
export async function callTool(params: CallParams, asking: Asking, deps: AnswerDeps): Promise<CallToolResult> {
  const { context, server, authenticated } = asking
  const { caller } = authenticated
  const memory = deps.memories.of(authenticated)
  const notes = createProgressNotes(context, deps.modeOf(caller), { now: deps.now, onError: deps.onError })
  const { onProgress } = notes
  const { presentation, view } = deps.presenter.present({
    caller,
    clientTools: [],
    memory,
    ...(onProgress && { onProgress }),
  })
  const call = { id: `mcp_${randomUUID()}`, name: params.name, arguments: JSON.stringify(params.arguments ?? {}) }
  try {
    const result = await presentation.handle(call, context.mcpReq.signal)
    const shown = presentation.mode === 'direct' ? view.bySafeName(params.name) : undefined
    return server.projectCallToolResult(toolAnswer(result, presentation.mode), shown?.outputSchema)
  } finally {
    notes.end()
  }
}
