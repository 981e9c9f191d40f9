import { CODE_TOOL_NAME } from '../../bridge/presentation/code.ts'
import type { Mode } from '../../bridge/presentation/presentation.ts'
import { formatPath } from '../config/document/config-path.ts'
import type { CallerPolicy } from '../../policy/decide.ts'
import type { ModeInForce } from './mode-in-force.ts'

/** Functions that a mode shows in the place of the tools. */
const FUNCTIONS: Readonly<Partial<Record<Mode, readonly string[]>>> = {
  code: [CODE_TOOL_NAME],
  tools: ['tool_search', 'tool_describe', 'tool_call'],
}

/** Who is denied the way to the tools is shown the tools: otherwise all of them would vanish with it. */
export function modeOfCaller(mode: ModeInForce, policy: Pick<CallerPolicy, 'deniesFunctions'>): ModeInForce {
  const denied = policy.deniesFunctions(FUNCTIONS[mode.inForce] ?? [])
  if (denied === undefined) return mode
  const reason = `policy denies the search of tools (${formatPath(denied.path)})`
  return { configured: mode.configured, inForce: 'direct', reason }
}
