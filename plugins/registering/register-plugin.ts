import type { RegisteredHook } from '../../bridge/hooks.ts'
import { HOOK_EVENTS } from '../../bridge/hooks.ts'
import { withinBudget } from '../../bridge/hooks/within-budget.ts'
import type { JsonObject } from '../../catalog/json.ts'
import type { ToolDefinition } from '../../catalog/tool.ts'
import { describeError } from '../describe-error.ts'
import { CLOSE_BUDGET_MS, REGISTER_BUDGET_MS } from '../limits.ts'
import type { AsPlugin } from '../plugin-scope.ts'
import type { HookOptions, Plugin, PluginApi, PluginLog } from '../sdk.ts'
import { readTool } from './tool-definition.ts'

/** A tool that its plugin gave wrongly; the rest of the plugin stands. */
export interface ToolFault {
  readonly tool: string
  readonly reason: string
}

/** All that a plugin registered, until it is closed. */
export interface Registration {
  readonly tools: readonly ToolDefinition[]
  readonly hooks: readonly RegisteredHook[]
  readonly faults: readonly ToolFault[]
  /** Runs the plugin's `onClose` handlers in reverse; failures are logged. */
  close(): Promise<void>
}

export type RegisterResult =
  | { readonly kind: 'registered'; readonly registration: Registration }
  | { readonly kind: 'failed'; readonly reason: string }

interface RegisterDeps {
  readonly config: JsonObject
  readonly log: PluginLog
  /** Default: its code is nobody's in particular. */
  readonly asPlugin?: AsPlugin
  readonly budgetMs?: number
}

/** Runs a plugin's `register`. All or nothing: when it fails, what it had opened is closed again. */
export async function registerPlugin(plugin: Plugin, deps: RegisterDeps): Promise<RegisterResult> {
  const collector = new Collector(plugin.id, deps)
  const thrown = await runRegister(plugin, collector, deps.budgetMs ?? REGISTER_BUDGET_MS)
  // What it must not do counts even where the plugin caught the error that told it.
  const reason = collector.fatal ?? thrown
  if (reason === undefined) return { kind: 'registered', registration: collector.registration() }
  await collector.close()
  return { kind: 'failed', reason }
}

async function runRegister(plugin: Plugin, collector: Collector, budgetMs: number): Promise<string | undefined> {
  const registered = await withinBudget(() => collector.run(() => plugin.register(collector.api())), budgetMs)
  collector.seal()
  return registered.kind === 'done' ? undefined : `its register failed: ${describeError(registered.error)}`
}

/** Takes what the plugin registers while its `register` runs, and nothing after. */
class Collector {
  readonly #plugin: string
  readonly #deps: RegisterDeps
  readonly #tools = new Map<string, ToolDefinition>()
  readonly #hooks: RegisteredHook[] = []
  readonly #faults: ToolFault[] = []
  readonly #closers: (() => unknown)[] = []
  #isSealed = false
  fatal: string | undefined

  constructor(plugin: string, deps: RegisterDeps) {
    this.#plugin = plugin
    this.#deps = deps
  }

  api(): PluginApi<unknown> {
    return Object.freeze<PluginApi<unknown>>({
      config: freezeCopy(this.#deps.config),
      log: this.#deps.log,
      registerTool: (tool: unknown) => this.#addTool(tool),
      on: (event: string, handler: unknown, options?: HookOptions) => this.#addHook(event, handler, options),
      onClose: (handler) => {
        this.#refuseWhenSealed('onClose')
        this.#closers.push(handler)
      },
    })
  }

  /** As the plugin's own code. */
  run<T>(work: () => T): T {
    const { asPlugin } = this.#deps
    return asPlugin === undefined ? work() : asPlugin(this.#plugin, work)
  }

  seal(): void {
    this.#isSealed = true
  }

  registration(): Registration {
    return {
      tools: [...this.#tools.values()],
      hooks: this.#hooks,
      faults: this.#faults,
      close: () => this.close(),
    }
  }

  async close(): Promise<void> {
    for (const handler of this.#closers.splice(0).toReversed()) {
      const closed = await withinBudget(() => this.run(handler), CLOSE_BUDGET_MS)
      if (closed.kind === 'failed') this.#deps.log.warn(`an onClose handler failed: ${describeError(closed.error)}`)
    }
  }

  #addTool(given: unknown): void {
    this.#refuseWhenSealed('registerTool')
    const reading = readTool(given)
    if (reading.kind === 'broken') {
      this.#faults.push({ tool: nameOf(given), reason: reading.reason })
      return
    }
    const { tool } = reading
    if (this.#tools.has(tool.name)) throw this.#fail(`it registers the tool "${tool.name}" twice`)
    const { execute } = tool
    const own: ToolDefinition['execute'] = execute && ((args, context) => this.run(() => execute(args, context)))
    this.#tools.set(tool.name, { ...tool, ...(own && { execute: own }) })
  }

  #addHook(event: string, handler: unknown, options: HookOptions = {}): void {
    this.#refuseWhenSealed('on')
    const { priority = 0, matcher } = options
    if (!Number.isFinite(priority)) throw this.#fail(`its hook on "${event}" has the priority ${String(priority)}`)
    if (matcher !== undefined && typeof matcher !== 'string')
      throw this.#fail(`its hook on "${event}" has no text as matcher`)
    const own = typeof handler === 'function' ? this.#asOwn(handler) : handler
    const hook = { plugin: this.#plugin, priority, event, handler: own, ...(matcher === undefined ? {} : { matcher }) }
    // A hook that guards calls and is dropped in silence would let through what it was written to stop.
    if (!isHook(hook))
      throw this.#fail(`it hooks "${event}"; there are ${HOOK_EVENTS.join(', ')}, each with a function`)
    this.#hooks.push(hook)
  }

  #asOwn(handler: Function): unknown {
    const own = (...given: readonly unknown[]): unknown => this.run(() => Reflect.apply(handler, undefined, given))
    // A handler is told again after a restart by its words.
    return Object.defineProperty(own, 'toString', { value: () => String(handler) })
  }

  #refuseWhenSealed(method: string): void {
    if (this.#isSealed) throw new Error(`api.${method} of plugin "${this.#plugin}" was called after its register ended`)
  }

  #fail(reason: string): Error {
    this.fatal ??= reason
    return new Error(reason)
  }
}

/** What a handler takes and gives cannot be seen from outside; the hook runner checks each decision. */
function isHook(hook: { readonly event: string; readonly handler: unknown }): hook is RegisteredHook {
  return typeof hook.handler === 'function' && HOOK_EVENTS.some((known) => known === hook.event)
}

function nameOf(given: unknown): string {
  const name: unknown = typeof given === 'object' && given !== null && 'name' in given ? given.name : undefined
  return typeof name === 'string' && name !== '' ? name : '(without a name)'
}

function freezeCopy(value: JsonObject): JsonObject {
  return deepFreeze(structuredClone(value))
}

function deepFreeze<T extends object>(value: T): T {
  for (const child of Object.values(value)) if (typeof child === 'object' && child !== null) deepFreeze(child)
  return Object.freeze(value)
}
