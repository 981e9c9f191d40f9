import { HIT_OUTPUT_MAX_LENGTH, HIT_TYPES_KEPT } from './limits.ts'
import { signatureOf, typeOf } from './signature.ts'
import type { Tool } from './tool.ts'

/** What a hit says in TypeScript: how its tool is called, and what a call gives where the tool declares it. */
export interface HitTypes {
  readonly signature: string
  readonly output?: string
}

/** Printing the types of a large schema takes a millisecond, and the same tools are found again and again. */
export function createHitTypes(): (tool: Tool) => HitTypes {
  const kept = new Map<Tool, HitTypes>()
  return (tool) => {
    const types = kept.get(tool) ?? typesOf(tool)
    // Put at the end: the first is the one that was found longest ago.
    kept.delete(tool)
    kept.set(tool, types)
    const [oldest] = kept.keys()
    if (kept.size > HIT_TYPES_KEPT && oldest !== undefined) kept.delete(oldest)
    return types
  }
}

function typesOf(tool: Tool): HitTypes {
  const { outputSchema } = tool
  const signature = signatureOf(tool, { result: 'named' })
  return outputSchema === undefined
    ? { signature }
    : { signature, output: typeOf(outputSchema, { maxChars: HIT_OUTPUT_MAX_LENGTH }) }
}
