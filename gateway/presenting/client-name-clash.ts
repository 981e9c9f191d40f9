import { CODE_TOOL_NAME } from '../../bridge/presentation/code.ts'
import type { Mode } from '../../bridge/presentation/presentation.ts'
import type { View } from '../../catalog/view.ts'

/** The name of a client tool that would stand twice in what the model is shown, or undefined. */
export function clientNameClash(mode: Mode, view: View): string | undefined {
  const brought = view.clientTools.map((tool) => tool.name)
  switch (mode) {
    case 'code':
      return brought.find((name) => name === CODE_TOOL_NAME)
    case 'direct': {
      const taken = new Set(view.tools.filter((tool) => tool.source !== 'client').map((tool) => tool.safeName))
      return brought.find((name) => taken.has(name))
    }
    case 'tools':
      // Client tools are not shown there; they are found and called by id.
      return undefined
  }
}
