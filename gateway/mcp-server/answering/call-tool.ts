import { randomUUID } from 'node:crypto'
import type { CallToolResult, Server, ServerContext } from '@modelcontextprotocol/server'
import { createQueryMemory } from '../../../bridge/query-memory.ts'
import type { QueryMemory } from '../../../bridge/query-memory.ts'
import type { Authenticated } from '../../auth/authenticate.ts'
import type { Presenter } from '../../presenting/presenter.ts'
import { toolAnswer } from './tool-answer.ts'

export interface AnswerDeps {
  readonly presenter: Presenter
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
  const { caller } = asking.authenticated
  const memory: QueryMemory = createQueryMemory()
  const { presentation, view } = deps.presenter.present({ caller, clientTools: [], memory })
  const call = { id: `mcp_${randomUUID()}`, name: params.name, arguments: JSON.stringify(params.arguments ?? {}) }
  const result = await presentation.handle(call, asking.context.mcpReq.signal)
  const answer = toolAnswer(result, presentation.mode)
  const shown = presentation.mode === 'direct' ? view.bySafeName(params.name) : undefined
  return asking.server.projectCallToolResult(answer, shown?.outputSchema)
}
