import { copyJson } from '../../catalog/copy-json.ts'
import type { JsonObject } from '../../catalog/json.ts'
import { hashJson } from '../../catalog/json.ts'
import { isToolResult } from '../../catalog/tool-result.ts'
import type { Tool, ToolResult } from '../../catalog/tool.ts'
import { matchesPattern } from '../../policy/pattern.ts'
import type {
  AfterModelCallEvent,
  AfterToolCallEvent,
  BeforeModelCallEvent,
  BeforeToolCallEvent,
  HookEvent,
  HookOf,
  RegisteredHook,
  ToolResultEvent,
  TurnEndEvent,
  TurnStartEvent,
} from '../hooks.ts'
import { hookKey, hooksBeyond } from './hook-key.ts'
import type { HookApproval, ReadDecision } from './read-decision.ts'
import { readDecision } from './read-decision.ts'
import type { BudgetResult } from './within-budget.ts'
import { withinBudget } from './within-budget.ts'

export type HookVerdict =
  /** `approval` is the first that a handler required; the input is what it stood at then. `asked` names the handlers. */
  | {
      readonly kind: 'go'
      readonly input: JsonObject
      readonly approval?: HookApproval
      readonly asked: readonly string[]
    }
  | { readonly kind: 'block'; readonly reason: string }

export type MissedVerdict = { readonly kind: 'go' } | Extract<HookVerdict, { readonly kind: 'block' }>

/** A call that was asked about, and the handlers that had their say before that. */
export interface AskedAbout {
  readonly event: BeforeToolCallEvent
  readonly asked: readonly string[]
}

export type ResultVerdict =
  | { readonly kind: 'go'; readonly result: ToolResult }
  | { readonly kind: 'withheld'; readonly reason: string }

export type ModelVerdict =
  | { readonly kind: 'go'; readonly params: JsonObject }
  | { readonly kind: 'block'; readonly reason: string }

export type TurnVerdict =
  /** Each list is a layer of its own. */
  | { readonly kind: 'go'; readonly toolsAllow: readonly (readonly string[])[] }
  | { readonly kind: 'block'; readonly reason: string }

export interface HookDeps {
  readonly hooks: () => readonly RegisteredHook[]
  readonly warn: (message: string, error: unknown) => void
  /** Of one handler. */
  readonly budgetMs: () => number
  /** Resolves when whoever may have a handler has registered it; until then nothing is decided without them. */
  readonly registered: () => Promise<void>
}

/**
 * Runs the matching handlers of an event in order, each on its own copy. One that decides and throws, or overruns its
 * budget, fails closed with its plugin named; the failure of one that only watches is logged. A verdict that comes after
 * `signal` was aborted blocks and means nothing: whoever asked looks at the signal first.
 */
export interface HookRunner {
  before(tool: Tool, event: BeforeToolCallEvent, signal: AbortSignal): Promise<HookVerdict>
  /**
   * The handlers that came while somebody was asked. Nothing changes what was approved: one that wants other arguments
   * blocks, and an approval that one requires has been given.
   */
  missed(tool: Tool, about: AskedAbout, signal: AbortSignal): Promise<MissedVerdict>
  /** Also after a cancel: what has happened is told. */
  after(tool: Tool, event: AfterToolCallEvent): Promise<void>
  result(tool: Tool, event: ToolResultEvent): Promise<ResultVerdict>
  beforeModel(event: BeforeModelCallEvent, signal: AbortSignal): Promise<ModelVerdict>
  afterModel(event: AfterModelCallEvent): Promise<void>
  turnStart(event: TurnStartEvent, signal: AbortSignal): Promise<TurnVerdict>
  turnEnd(event: TurnEndEvent): Promise<void>
}

export function createHookRunner(deps: HookDeps): HookRunner {
  const isComplete = createCompleteness(deps)
  return {
    async before(tool, event, signal) {
      if (!(await isComplete(signal))) return { kind: 'block', reason: INCOMPLETE }
      let input = event.params
      let approval: HookApproval | undefined
      const hooks = inOrder('before_tool_call', [tool.id, tool.name], deps)
      for (const hook of hooks) {
        const decision = await decide(hook, { ...event, params: input }, { deps, signal })
        if (decision.kind === 'block') return decision
        // What is approved must be what runs: from the first question on nothing changes it.
        if (approval === undefined) input = decision.params ?? input
        approval ??= decision.approval
      }
      return { kind: 'go', input, ...(approval && { approval }), asked: hooks.map(hookKey) }
    },
    missed: async (tool, about, signal) =>
      (await isComplete(signal)) ? askMissed(tool, about, { deps, signal }) : { kind: 'block', reason: INCOMPLETE },
    after: (tool, event) => tell(inOrder('after_tool_call', [tool.id, tool.name], deps), event, deps),
    async result(tool, event) {
      let { result } = event
      for (const hook of inOrder('tool_result', [tool.id, tool.name], deps)) {
        const given = await handle(hook, { ...event, result }, { deps })
        if (given.kind === 'failed') return { kind: 'withheld', reason: failedText(hook) }
        if (given.value === undefined || given.value === null) continue
        const made = copyJson(given.value)
        if (!isToolResult(made))
          return { kind: 'withheld', reason: `a hook of plugin "${hook.plugin}" gave something that is no tool result` }
        result = made
      }
      return { kind: 'go', result }
    },
    async beforeModel(event, signal) {
      if (!(await isComplete(signal))) return { kind: 'block', reason: INCOMPLETE }
      let { params } = event
      for (const hook of inOrder('before_model_call', [event.model], deps)) {
        const decision = await decide(hook, { ...event, params }, { deps, signal })
        if (decision.kind === 'block') return decision
        params = decision.params ?? params
      }
      return { kind: 'go', params }
    },
    afterModel: (event) => tell(inOrder('after_model_call', [event.model], deps), event, deps),
    async turnStart(event, signal) {
      if (!(await isComplete(signal))) return { kind: 'block', reason: INCOMPLETE }
      const toolsAllow: (readonly string[])[] = []
      for (const hook of inOrder('turn_start', [event.caller.agent], deps)) {
        const decision = await decide(hook, event, { deps, signal })
        if (decision.kind === 'block') return decision
        if (decision.toolsAllow !== undefined) toolsAllow.push(decision.toolsAllow)
      }
      return { kind: 'go', toolsAllow }
    },
    turnEnd: (event) => tell(inOrder('turn_end', [event.caller.agent], deps), event, deps),
  }
}

async function askMissed(tool: Tool, { event, asked }: AskedAbout, handling: Handling): Promise<MissedVerdict> {
  const hooks = inOrder('before_tool_call', [tool.id, tool.name], handling.deps)
  for (const hook of hooksBeyond(hooks, asked)) {
    const decision = await decide(hook, event, handling)
    if (decision.kind === 'block') return decision
    const isOther = decision.params !== undefined && hashJson(decision.params) !== hashJson(event.params)
    if (isOther) return { kind: 'block', reason: otherArguments(hook) }
  }
  return { kind: 'go' }
}

const INCOMPLETE = 'plugins are still being loaded, and one of them may have a say in this; try again in a moment'

/** Waits once, as long as for a handler: a plugin that guards must not be too late because it loads slowly. */
function createCompleteness(deps: HookDeps): (signal: AbortSignal) => Promise<boolean> {
  let isKnown = false
  return async (signal) => {
    if (isKnown) return true
    const waited = await withinBudget(() => deps.registered(), deps.budgetMs(), signal)
    isKnown = waited.kind === 'done'
    return isKnown
  }
}

function inOrder<Event extends HookEvent>(
  event: Event,
  names: readonly string[],
  deps: HookDeps,
): readonly HookOf<Event>[] {
  const matching = deps.hooks().filter((hook): hook is HookOf<Event> => {
    if (hook.event !== event) return false
    const { matcher } = hook
    return matcher === undefined || names.some((name) => matchesPattern(matcher, name))
  })
  return matching.toSorted((a, b) => b.priority - a.priority)
}

/** What any handler is to its runner: it takes a copy and gives something that is looked at. */
interface AnyHook<Shown> {
  readonly plugin: string
  readonly event: HookEvent
  readonly handler: (event: Shown, signal: AbortSignal) => unknown
}

interface Handling {
  readonly deps: HookDeps
  readonly signal?: AbortSignal
}

async function handle<Shown>(hook: AnyHook<Shown>, event: Shown, { deps, signal }: Handling): Promise<BudgetResult> {
  const copy = structuredClone(event)
  const done = await withinBudget((hookSignal) => hook.handler(copy, hookSignal), deps.budgetMs(), signal)
  // Of what was cancelled meanwhile no plugin is to blame.
  if (done.kind === 'failed' && signal?.aborted !== true)
    deps.warn(`${hook.event} hook of plugin "${hook.plugin}" failed`, done.error)
  return done
}

async function decide<Shown>(hook: AnyHook<Shown>, event: Shown, handling: Handling): Promise<ReadDecision> {
  const given = await handle(hook, event, handling)
  return given.kind === 'failed' ? { kind: 'block', reason: failedText(hook) } : readDecision(given.value, hook.plugin)
}

async function tell<Shown>(hooks: readonly AnyHook<Shown>[], event: Shown, deps: HookDeps): Promise<void> {
  for (const hook of hooks) await handle(hook, event, { deps })
}

function otherArguments({ plugin }: AnyHook<never>): string {
  return `a hook of plugin "${plugin}", which came while the call waited, wants other arguments than were approved; make the call again`
}

function failedText({ event, plugin }: AnyHook<never>): string {
  const what = event === 'tool_result' ? 'the result is withheld' : 'this was not done'
  return `a hook of plugin "${plugin}" failed, so ${what}`
}
