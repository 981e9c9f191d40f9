import type { Caller } from '../catalog/caller.ts'
import type { JsonObject } from '../catalog/json.ts'
import { isJsonObject } from '../catalog/json.ts'
import type { Tool } from '../catalog/tool.ts'
import { HOOK_BUDGET_MS } from './limits.ts'
import type { Outcome } from './outcome.ts'
import { matchesPattern } from '../policy/pattern.ts'

/** What a `before_tool_call` handler is shown: an isolated copy; changing it changes nothing. */
export interface BeforeToolCallEvent {
  readonly callId: string
  readonly toolId: string
  readonly source: Tool['source']
  readonly owner: string
  readonly name: string
  /** The input as it stands, earlier handlers' `params` included. */
  readonly params: JsonObject
  readonly caller: Caller
}

/** What a handler may decide. `block` is terminal; the last handler's `params` wins. */
export interface BeforeToolCallDecision {
  /** Replaces the whole input; it is validated and decided again. */
  readonly params?: JsonObject
  readonly block?: boolean
  /** Shown to the model, at most 512 characters. */
  readonly blockReason?: string
}

export interface AfterToolCallEvent extends BeforeToolCallEvent {
  readonly outcome: Outcome
  readonly ms: number
}

export type BeforeToolCall = (
  event: BeforeToolCallEvent,
  signal: AbortSignal,
) => BeforeToolCallDecision | void | Promise<BeforeToolCallDecision | void>

export type AfterToolCall = (event: AfterToolCallEvent, signal: AbortSignal) => void | Promise<void>

interface HookCommon {
  /** Plugin that registered it; named when it fails. */
  readonly plugin: string
  /** Higher runs earlier; default 0; ties in order of registration. */
  readonly priority: number
  /** Tool id or name pattern (`*` matches any text, case-insensitive); absent means every tool. */
  readonly matcher?: string
}

export type RegisteredHook =
  | (HookCommon & { readonly event: 'before_tool_call'; readonly handler: BeforeToolCall })
  | (HookCommon & { readonly event: 'after_tool_call'; readonly handler: AfterToolCall })

export type HookVerdict =
  | { readonly kind: 'go'; readonly input: JsonObject }
  | { readonly kind: 'block'; readonly reason: string }

interface HookDeps {
  readonly hooks: () => readonly RegisteredHook[]
  readonly warn: (message: string, error: unknown) => void
  readonly budgetMs?: number
}

export interface HookRunner {
  /** Runs the matching handlers in order. One that throws or overruns its budget blocks the call, its plugin named. */
  before(tool: Tool, event: BeforeToolCallEvent, signal: AbortSignal): Promise<HookVerdict>
  /** Runs the matching handlers in order, also after a cancel. A failure is logged: the call has already happened. */
  after(tool: Tool, event: AfterToolCallEvent): Promise<void>
}

export function createHookRunner(deps: HookDeps): HookRunner {
  const budgetMs = deps.budgetMs ?? HOOK_BUDGET_MS
  return {
    async before(tool, event, signal) {
      let input = event.params
      for (const hook of inOrder(deps.hooks(), tool)) {
        if (hook.event !== 'before_tool_call') continue
        const copy = structuredClone({ ...event, params: input })
        const decision = await withinBudget((hookSignal) => hook.handler(copy, hookSignal), budgetMs, signal)
        if (decision.kind === 'failed') {
          deps.warn(`before_tool_call hook of plugin "${hook.plugin}" failed`, decision.error)
          return { kind: 'block', reason: `a hook of plugin "${hook.plugin}" failed, so the call was not made` }
        }
        const verdict = readDecision(decision.value, hook.plugin)
        if (verdict.kind === 'block') return verdict
        input = verdict.input ?? input
      }
      return { kind: 'go', input }
    },
    async after(tool, event) {
      for (const hook of inOrder(deps.hooks(), tool)) {
        if (hook.event !== 'after_tool_call') continue
        const copy = structuredClone(event)
        const done = await withinBudget((hookSignal) => hook.handler(copy, hookSignal), budgetMs)
        if (done.kind === 'failed') deps.warn(`after_tool_call hook of plugin "${hook.plugin}" failed`, done.error)
      }
    },
  }
}

function inOrder(hooks: readonly RegisteredHook[], tool: Tool): readonly RegisteredHook[] {
  const matching = hooks.filter(
    (hook) =>
      hook.matcher === undefined || matchesPattern(hook.matcher, tool.id) || matchesPattern(hook.matcher, tool.name),
  )
  return matching.toSorted((a, b) => b.priority - a.priority)
}

type BudgetResult =
  | { readonly kind: 'done'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly error: unknown }

async function withinBudget(
  run: (signal: AbortSignal) => unknown,
  budgetMs: number,
  signal?: AbortSignal,
): Promise<BudgetResult> {
  if (signal?.aborted === true) return { kind: 'failed', error: signal.reason }
  const timeout = AbortSignal.timeout(budgetMs)
  const bound = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
  const { promise: ended, resolve } = Promise.withResolvers<BudgetResult>()
  const onAbort = (): void => resolve({ kind: 'failed', error: new Error(`not done within ${budgetMs} ms`) })
  bound.addEventListener('abort', onAbort, { once: true })
  try {
    const handled = Promise.resolve(run(bound)).then<BudgetResult, BudgetResult>(
      (value) => ({ kind: 'done', value }),
      (error: unknown) => ({ kind: 'failed', error }),
    )
    return await Promise.race([handled, ended])
  } catch (error) {
    return { kind: 'failed', error }
  } finally {
    bound.removeEventListener('abort', onAbort)
  }
}

/** A handler is a stranger's code: what it returns is checked. An unreadable decision fails closed. */
function readDecision(
  value: unknown,
  plugin: string,
): { readonly kind: 'go'; readonly input?: JsonObject } | { readonly kind: 'block'; readonly reason: string } {
  if (value === undefined || value === null) return { kind: 'go' }
  if (!isJsonObject(value)) return { kind: 'block', reason: `a hook of plugin "${plugin}" gave an unreadable decision` }
  if (value['block'] !== undefined && value['block'] !== false) {
    const reason = value['blockReason']
    const text = typeof reason === 'string' && reason !== '' ? reason.slice(0, 512) : `blocked by plugin "${plugin}"`
    return { kind: 'block', reason: text }
  }
  const params = value['params']
  if (params === undefined) return { kind: 'go' }
  if (!isJsonObject(params))
    return { kind: 'block', reason: `a hook of plugin "${plugin}" gave params that are not an object` }
  return { kind: 'go', input: structuredClone(params) }
}
