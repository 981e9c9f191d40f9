import type { ToolAnnotations } from '../catalog/tool.ts'

/**
 * What a tool says of itself, with what it leaves out as the Model Context Protocol has it: not read-only, destructive
 * unless it only reads, not idempotent, of an open world. Who says nothing is taken to do the most.
 */
export function effectiveAnnotations(said: ToolAnnotations): Required<ToolAnnotations> {
  const readOnlyHint = said.readOnlyHint ?? false
  return {
    readOnlyHint,
    destructiveHint: readOnlyHint ? false : (said.destructiveHint ?? true),
    idempotentHint: said.idempotentHint ?? false,
    openWorldHint: said.openWorldHint ?? true,
  }
}

export function matchesAnnotations(said: ToolAnnotations, wanted: ToolAnnotations): boolean {
  const effective = effectiveAnnotations(said)
  const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const
  return hints.every((hint) => wanted[hint] === undefined || wanted[hint] === effective[hint])
}
