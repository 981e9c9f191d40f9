import type { JsonObject } from '../../../json.ts'
import type { ExecuteContext, ToolDefinition } from '../../../tool.ts'
import type { McpServerConfig } from '../server-config.ts'
import { toCallableTool } from '../connection/session/send-call.ts'
import type { SessionHolder } from './call-tool.ts'
import { callTool } from './call-tool.ts'

export interface CallableToolsDeps {
  readonly holder: SessionHolder
  readonly config: McpServerConfig
  /** Where nothing is configured. */
  readonly callIdleMs: number
}

/** The listed tools, each with its way to be called. */
export function callableTools(
  definitions: readonly ToolDefinition[],
  deps: CallableToolsDeps,
): readonly ToolDefinition[] {
  return definitions.map((definition) => {
    const tool = toCallableTool(definition)
    const { annotations } = definition
    const { idleMs, deadlineMs } = waitsOf(definition.name, deps)
    return {
      ...definition,
      ...(deadlineMs !== undefined && { deadlineMs }),
      execute: (args: JsonObject, { signal, onProgress, ask, caller }: ExecuteContext) =>
        callTool(
          deps.holder,
          {
            tool,
            annotations,
            args,
            idleMs,
            deadlineMs,
            caller,
            ...(onProgress && { onProgress }),
            ...(ask && { ask }),
          },
          signal,
        ),
    }
  })
}

/** What is configured for this tool, else for the server. */
function waitsOf(
  tool: string,
  { config, callIdleMs }: CallableToolsDeps,
): { readonly idleMs: number; readonly deadlineMs: number | undefined } {
  const { tools = {}, timeoutMs = callIdleMs, deadlineMs } = config
  // A tool may be called `constructor`.
  const own = Object.hasOwn(tools, tool) ? tools[tool] : undefined
  return { idleMs: own?.timeoutMs ?? timeoutMs, deadlineMs: own?.deadlineMs ?? deadlineMs }
}
