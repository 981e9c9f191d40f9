import type { RegisteredHook } from '../bridge/hooks.ts'
import { canonicalJson } from '../catalog/json.ts'
import type { SchemaChecker } from '../catalog/schema.ts'
import type { Source, SourceSink } from '../catalog/source.ts'
import type { ToolDefinition } from '../catalog/tool.ts'
import type { ToolId } from '../catalog/tool-id.ts'
import { toolId } from '../catalog/tool-id.ts'
import { describeError } from './describe-error.ts'
import { candidateWaves } from './loading/candidate-waves.ts'
import type { Candidate, PluginCandidate } from './loading/claim-ids.ts'
import type { PluginSettings } from './loading/plugin-settings.ts'
import { resolveSdkImports } from './loading/sdk-resolution.ts'
import { CLOSE_GRACE_MS } from './limits.ts'
import { missingGuards } from './missing-guards.ts'
import type { Registration, ToolFault } from './registering/register-plugin.ts'
import { registerPlugin } from './registering/register-plugin.ts'
import { selectTools } from './registering/select-tools.ts'
import type { Plugin, PluginLog } from './sdk.ts'
import { withinBudget } from './within-budget.ts'

/** One thing that is wrong with a plugin, for operators. */
interface PluginProblem {
  /** The plugin's id, or its path where the id is not known or not its own. */
  readonly owner: string
  readonly path: string
  /** Where only this tool is at fault. */
  readonly tool?: string
  readonly reason: string
}

export interface PluginHostDeps {
  /** Plugins of the package itself; they come first and keep their ids. */
  readonly bundled: readonly Plugin[]
  /** `(url) => import(url)`: given by the composition root, since a test runner's import is not Node's. */
  readonly importModule: (url: string) => Promise<unknown>
  readonly schemas: Pick<SchemaChecker, 'inspect' | 'validate'>
  /** Whether an allow list names this optional tool. */
  readonly isOptionalToolAllowed: (id: ToolId) => boolean
  readonly logFor: (plugin: string) => PluginLog
  readonly now: () => number
  readonly importBudgetMs?: number
  readonly registerBudgetMs?: number
}

export interface PluginHost extends Source {
  /** Resolves when every plugin of the settings given so far is registered or reported. Never rejects. */
  settled(): Promise<void>
  /**
   * Brings the plugins in line with new settings. A plugin whose configuration or code changed registers anew and
   * then replaces its old self; when that fails, the old one stays and the problem is reported.
   */
  update(settings: PluginSettings): Promise<void>
  /** Of all registered plugins, in the order of the settings; what is required and missing refuses every call. */
  hooks(): readonly RegisteredHook[]
  problems(): readonly PluginProblem[]
  /** Ids of registered optional tools that are not offered, since no list names them. */
  withheld(): readonly ToolId[]
}

export function createPluginHost(settings: PluginSettings, deps: PluginHostDeps): PluginHost {
  return new Host(settings, deps)
}

interface Running {
  readonly plugin: Plugin
  /** Canonical JSON. */
  readonly config: string
  readonly registration: Registration
}

/** A candidate after its registration was tried. */
interface Standing {
  readonly owner: string
  readonly path: string
  readonly order: number
  readonly running?: Running
  readonly tools: readonly ToolDefinition[]
  readonly faults: readonly ToolFault[]
  readonly withheld: readonly string[]
  /** Why it does not run, or why it still runs as it was before. */
  readonly failure?: string
}

class Host implements PluginHost {
  readonly #deps: PluginHostDeps
  #settings: PluginSettings
  #sink: SourceSink | undefined
  #stopResolving: (() => void) | undefined
  #isClosed = false
  #closing: Promise<void> | undefined
  /** Changes are applied one after the other. */
  #queue: Promise<void> = Promise.resolve()
  readonly #standings = new Map<string, Standing>()
  #problems: readonly PluginProblem[] = []
  #said = new Set<string>()

  constructor(settings: PluginSettings, deps: PluginHostDeps) {
    this.#settings = settings
    this.#deps = deps
  }

  start(sink: SourceSink): void {
    this.#sink = sink
    this.#stopResolving = resolveSdkImports()
    this.#enqueue(() => this.#apply(sink))
  }

  settled(): Promise<void> {
    return this.#queue
  }

  update(settings: PluginSettings): Promise<void> {
    this.#settings = settings
    const sink = this.#sink
    if (sink === undefined) return this.#queue
    // At once: the change before this one may wait for a plugin that hangs, and what is switched off must not.
    const leaving = this.#removeDisabled(sink)
    this.#enqueue(async () => {
      await leaving
      await this.#apply(sink)
    })
    return this.#queue
  }

  hooks(): readonly RegisteredHook[] {
    const missing = missingGuards(this.#settings, (id) => this.#standings.get(id)?.running !== undefined)
    return [...missing, ...this.#inOrder().flatMap((standing) => standing.running?.registration.hooks ?? [])]
  }

  problems(): readonly PluginProblem[] {
    return this.#problems
  }

  withheld(): readonly ToolId[] {
    return this.#inOrder().flatMap(({ owner, withheld }) => withheld.map((name) => toolId('plugin', owner, name)))
  }

  close(): Promise<void> {
    this.#isClosed = true
    this.#closing ??= this.#close()
    return this.#closing
  }

  /** A plugin that hangs in its `register` does not keep the gateway from stopping: what it gives later is closed. */
  async #close(): Promise<void> {
    await withinBudget(() => this.#queue, CLOSE_GRACE_MS).catch(() => undefined)
    const standings = this.#inOrder().toReversed()
    this.#standings.clear()
    for (const { running } of standings) await running?.registration.close()
    this.#stopResolving?.()
    this.#stopResolving = undefined
  }

  /** A failure here is a defect of ours; it must not keep later changes from being applied. */
  #enqueue(work: () => Promise<void>): void {
    this.#queue = this.#queue.then(work).catch((error: unknown) => {
      this.#deps.logFor('host').error(`applying the plugin settings failed: ${describeError(error)}`)
    })
  }

  async #apply(sink: SourceSink): Promise<void> {
    if (this.#isClosed) return
    const settings = this.#settings
    await this.#removeDisabled(sink)
    const before = new Map(this.#standings)
    const formerOwner = (path: string): string | undefined =>
      [...before.values()].find((standing) => standing.path === path)?.owner
    const seen = new Set<string>()
    const settling: Promise<void>[] = []
    for await (const wave of candidateWaves(settings, { ...this.#deps, formerOwner })) {
      for (const candidate of wave) {
        seen.add(candidate.owner)
        settling.push(this.#settle(candidate, sink))
      }
    }
    for (const owner of before.keys()) if (!seen.has(owner)) await this.#remove(owner, sink)
    await Promise.all(settling)
    this.#report()
  }

  async #removeDisabled(sink: SourceSink): Promise<void> {
    const disabled = [...this.#standings.keys()].filter((owner) => !this.#isWanted(owner))
    await Promise.all(disabled.map((owner) => this.#remove(owner, sink)))
  }

  async #remove(owner: string, sink: SourceSink): Promise<void> {
    const standing = this.#standings.get(owner)
    this.#standings.delete(owner)
    sink.removeOwner('plugin', owner)
    await standing?.running?.registration.close()
  }

  /** One plugin, from candidate to tools in the catalog; it waits for no other. */
  async #settle(candidate: Candidate, sink: SourceSink): Promise<void> {
    const { owner } = candidate
    const before = this.#standings.get(owner)
    if (candidate.kind === 'plugin' && before === undefined) {
      sink.setState('plugin', owner, { kind: 'connecting', sinceMs: this.#deps.now() })
    }
    const standing = await this.#stand(candidate, before)
    if (this.#isClosed || !this.#isWanted(owner)) {
      // It was switched off, or the gateway stops, while it registered.
      sink.removeOwner('plugin', owner)
      return await standing.running?.registration.close()
    }
    this.#standings.set(owner, standing)
    this.#publish(standing, before, sink)
    // After the new registration stands, so that no call falls into a gap.
    if (standing.running !== before?.running) await before?.running?.registration.close()
  }

  async #stand(candidate: Candidate, former: Standing | undefined): Promise<Standing> {
    const { owner, path, order } = candidate
    const before = former?.running
    const stay = (failure: string): Standing => ({
      tools: [],
      faults: [],
      withheld: [],
      ...former,
      owner,
      path,
      order,
      failure,
    })
    if (candidate.kind === 'failed') return stay(candidate.reason)
    const { plugin, manifest } = candidate
    const config = canonicalJson(candidate.config)
    const isSame = before?.plugin === plugin && before.config === config
    const result = isSame
      ? { kind: 'registered' as const, registration: before.registration }
      : await this.#register(candidate)
    if (result.kind === 'failed') return stay(result.reason)
    const { registration } = result
    const { isOptionalToolAllowed } = this.#deps
    const selected = selectTools(registration.tools, { plugin: plugin.id, manifest, isOptionalToolAllowed })
    const faults = [...registration.faults, ...selected.faults]
    const running = isSame ? before : { plugin, config, registration }
    return { owner, path, order, running, tools: selected.tools, withheld: selected.withheld, faults }
  }

  #register({ plugin, config }: PluginCandidate): ReturnType<typeof registerPlugin> {
    const { registerBudgetMs, logFor } = this.#deps
    const budget = registerBudgetMs === undefined ? {} : { budgetMs: registerBudgetMs }
    return registerPlugin(plugin, { config, log: logFor(plugin.id), ...budget })
  }

  #publish({ owner, path, running, tools, failure }: Standing, before: Standing | undefined, sink: SourceSink): void {
    const sinceMs = this.#deps.now()
    sink.setTools('plugin', owner, tools)
    if (running === undefined) {
      sink.setState('plugin', owner, { kind: 'down', sinceMs, reason: `${path}: ${failure ?? 'not loaded'}` })
    } else if (running !== before?.running) {
      sink.setState('plugin', owner, { kind: 'ready', sinceMs })
    }
  }

  #report(): void {
    const said = this.#said
    this.#said = new Set()
    const standings = this.#inOrder()
    const ids = standings.map((standing) => standing.owner)
    const strays = Object.keys(this.#settings.entries).filter((id) => !ids.includes(id) && this.#isWanted(id))
    this.#problems = [
      ...standings.flatMap(problemsOf),
      ...strays.map((id) => ({
        owner: id,
        path: `plugins.entries.${id}`,
        reason: `no plugin has this id; there are ${ids.join(', ') || 'none'}`,
      })),
    ]
    for (const { owner, path, tool, reason } of this.#problems) {
      const subject = tool === undefined ? path : `tool "${tool}" of ${path}`
      const line = `${subject}: ${reason}`
      // What was said before is not said again at each change of settings.
      if (!said.has(line)) this.#deps.logFor(owner).error(line)
      this.#said.add(line)
    }
  }

  #inOrder(): readonly Standing[] {
    return [...this.#standings.values()].toSorted((a, b) => a.order - b.order)
  }

  #isWanted(id: string): boolean {
    return this.#settings.entries[id]?.enabled !== false
  }
}

function problemsOf({ owner, path, running, failure, faults }: Standing): readonly PluginProblem[] {
  const kept = running === undefined ? '' : '; the plugin stays as it was before'
  const whole = failure === undefined ? [] : [{ owner, path, reason: `${failure}${kept}` }]
  return [...whole, ...faults.map((fault) => ({ owner, path, ...fault }))]
}
