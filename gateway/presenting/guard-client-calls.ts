import type { ModelResult, Presentation } from '../../bridge/presentation/presentation.ts'
import type { JsonObject } from '../../catalog/json.ts'
import type { Tool } from '../../catalog/tool.ts'
import type { View } from '../../catalog/view.ts'
import type { Verdict } from '../../policy/decide.ts'
import { refusalReason } from '../../policy/refusal-reason.ts'

/**
 * A call that goes to the client is not dispatched here, so rules on its arguments are asked here. What they would ask
 * a person is the client's to ask: it is the client that does it.
 */
export function guardClientCalls(
  presentation: Presentation,
  view: View,
  decide: (tool: Tool, input: JsonObject) => Verdict,
): Presentation {
  if (view.clientTools.length === 0) return presentation
  return {
    ...presentation,
    async handle(call, signal): Promise<ModelResult> {
      const result = await presentation.handle(call, signal)
      const tool = result.kind === 'client-call' ? view.clientTools.find(({ name }) => name === result.name) : undefined
      if (result.kind !== 'client-call' || tool === undefined) return result
      const verdict = decide(tool, result.arguments)
      if (verdict.kind !== 'deny') return result
      const text = `the call of "${tool.name}" was refused: ${refusalReason(verdict)}`
      return { kind: 'result', text, isError: true, searches: 0, describes: 0, calls: [] }
    },
  }
}
