import type { SurfaceDeps, SurfaceOptions, ToolSurface } from '../surface/tool-surface.ts'
import { createToolSurface } from '../surface/tool-surface.ts'

/** For tests: a surface whose tools have no types worth showing and wait for nobody. */
export function aToolSurface(
  parts: Pick<SurfaceDeps, 'index' | 'dispatch'> & Partial<SurfaceDeps>,
  options: SurfaceOptions,
): ToolSurface {
  const deps = {
    hitSignature: () => '()',
    hitOutput: () => undefined,
    fullSignature: () => '()',
    newId: () => 'call',
    approvalNeed: () => ({ needed: 'never', rules: [], reasons: [], dependsOn: [] }) as const,
    settings: { defaultLimit: 8, maxLimit: 20 },
    learns: false,
  }
  return createToolSurface({ ...deps, ...parts }, options)
}
