import type { PolicyLayer } from '../../policy/layer.ts'
import type { ResolvedConfig } from '../config/read-config.ts'

/** The layers of an agent, outermost first: the global lists, then its own. */
export function layersOf(config: Pick<ResolvedConfig, 'tools' | 'agents'>, agent: string): readonly PolicyLayer[] {
  const { allow, deny } = config.tools
  const own = config.agents[agent]?.tools
  return [{ name: 'tools', allow, deny }, ...(own === undefined ? [] : [{ name: `agents.${agent}.tools`, ...own }])]
}
