import type { Usage } from '../providers/provider.ts'

/** The usage of several model steps as one; what no step reported stays absent. */
export function addUsage(sum: Usage | undefined, step: Usage | undefined): Usage | undefined {
  if (!sum || !step) return sum ?? step
  const cachedPromptTokens = addOptional(sum.cachedPromptTokens, step.cachedPromptTokens)
  const reasoningTokens = addOptional(sum.reasoningTokens, step.reasoningTokens)
  return {
    promptTokens: sum.promptTokens + step.promptTokens,
    completionTokens: sum.completionTokens + step.completionTokens,
    totalTokens: sum.totalTokens + step.totalTokens,
    ...(cachedPromptTokens !== undefined && { cachedPromptTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  }
}

function addOptional(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined && right === undefined ? undefined : (left ?? 0) + (right ?? 0)
}
