import { isJsonObject } from '../../catalog/json.ts'
import type { DispatcherDeps } from '../dispatcher.ts'
import type { ExecuteDeps, ExecuteTool } from '../execute-tool.ts'
import { createExecuteTool } from '../execute-tool.ts'
import type { RegisteredHook } from '../hooks.ts'
import type { HookDeps, HookRunner } from '../hooks/hook-runner.ts'
import { createHookRunner } from '../hooks/hook-runner.ts'
import { createMemoryDesk } from './memory-desk.ts'

/** For tests: all that a dispatcher needs, each part of which lets a call pass; a test gives those that it is about. */
export function aCallPath(parts: Partial<DispatcherDeps> = {}): DispatcherDeps {
  return {
    current: () => undefined,
    decide: () => ({ kind: 'allow' }),
    callerFault: async () => undefined,
    repair: (args) => ({ args, notices: [] }),
    validate: (_tool, args) =>
      isJsonObject(args) ? { kind: 'valid', value: args } : { kind: 'invalid', problems: [] },
    signature: () => '()',
    hooks: aHookRunner([]),
    execute: anExecuteTool(),
    desk: createMemoryDesk(),
    checkReceipts: async () => {},
    noteReceipt: async () => {},
    writeReceipt: async () => {},
    redact: (text) => text,
    warn: () => {},
    now: () => 0,
    newId: () => 'rc_1',
    ...parts,
  }
}

/** With handlers as if every plugin had registered its own. */
export function aHookRunner(hooks: readonly RegisteredHook[], parts: Partial<HookDeps> = {}): HookRunner {
  return createHookRunner({
    hooks: () => hooks,
    warn: () => {},
    budgetMs: () => 10_000,
    registered: async () => {},
    ...parts,
  })
}

/** Gives the structured part of a result, and asks nobody. */
export function anExecuteTool(parts: Partial<ExecuteDeps> = {}): ExecuteTool {
  return createExecuteTool({
    hooks: aHookRunner([]),
    keepBlocks: async (result) => result,
    toolValue: (result) => result.structured ?? null,
    outputFault: () => undefined,
    redact: (text) => text,
    cut: (text) => text,
    answerQuestion: async () => ({ action: 'decline' }),
    logFailure: () => {},
    ...parts,
  })
}
