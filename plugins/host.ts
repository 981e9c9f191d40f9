import type { RegisteredHook } from '../bridge/hooks.ts'
import { withinBudget } from '../bridge/hooks/within-budget.ts'
import type { SchemaChecker } from '../catalog/schema.ts'
import type { Source, SourceSink } from '../catalog/source.ts'
import type { ToolId } from '../catalog/tool-id.ts'
import { toolId } from '../catalog/tool-id.ts'
import { describeError } from './describe-error.ts'
import { CLOSE_GRACE_MS } from './limits.ts'
import { candidateWaves } from './loading/candidate-waves.ts'
import type { Candidate } from './loading/claim-ids.ts'
import { createModuleVersions } from './loading/module-versions.ts'
import type { PluginSettings } from './loading/plugin-settings.ts'
import { resolvePluginImports } from './loading/sdk-resolution.ts'
import { missingGuards } from './missing-guards.ts'
import type { AsPlugin } from './plugin-scope.ts'
import type { Plugin } from './sdk.ts'
import type { PluginProblem } from './standing/plugin-problems.ts'
import { createProblemLog, findPluginProblems } from './standing/plugin-problems.ts'
import type { StandDeps, Standing } from './standing/stand-plugin.ts'
import { publishStanding, standPlugin } from './standing/stand-plugin.ts'
import type { StrayErrors } from './standing/stray-errors.ts'
import { createStrayErrors } from './standing/stray-errors.ts'

export interface PluginHostDeps extends Omit<StandDeps, 'asPlugin'> {
  /** Plugins of the package itself; they come first and keep their ids. */
  readonly bundled: readonly Plugin[]
  /** `(url) => import(url)`: given by the composition root, since a test runner's import is not Node's. */
  readonly importModule: (url: string) => Promise<unknown>
  readonly schemas: Pick<SchemaChecker, 'inspect' | 'validate'>
  readonly now: () => number
  /** Default: errors that nobody catches are not told to be a plugin's. */
  readonly asPlugin?: AsPlugin
  readonly importBudgetMs?: number
}

export interface PluginHost extends Source {
  /** Resolves when every plugin of the settings given so far is registered or reported. Never rejects. */
  settled(): Promise<void>
  /**
   * Brings the plugins in line with new settings. A plugin whose configuration or code changed registers anew and
   * then replaces its old self; when that fails, the old one stays and the problem is reported.
   */
  update(settings: PluginSettings): Promise<void>
  /** What entry files import that was written since it was loaded; '' where nothing was. */
  changedImports(entries: readonly string[]): Promise<string>
  /** Of all registered plugins, in the order of the settings; what is required and missing refuses every call. */
  hooks(): readonly RegisteredHook[]
  problems(): readonly PluginProblem[]
  /** What a plugin threw where nobody could catch it: it is told, and stops nothing. */
  blame(plugin: string, error: unknown): void
  /** Ids of registered optional tools that are not offered, since no list names them. */
  withheld(): readonly ToolId[]
}

export function createPluginHost(settings: PluginSettings, deps: PluginHostDeps): PluginHost {
  return new Host(settings, deps)
}

class Host implements PluginHost {
  readonly #deps: PluginHostDeps & StandDeps
  #settings: PluginSettings
  #sink: SourceSink | undefined
  #stopResolving: (() => void) | undefined
  readonly #versions = createModuleVersions()
  #isClosed = false
  #closing: Promise<void> | undefined
  /** Changes are applied one after the other. */
  #queue: Promise<void> = Promise.resolve()
  /** Whether one is to be applied that has not begun: it goes by the settings of when it begins. */
  #isApplyQueued = false
  /** What was switched off, on its way out. */
  #leaving: Promise<void> = Promise.resolve()
  readonly #standings = new Map<string, Standing>()
  #problems: readonly PluginProblem[] = []
  readonly #logProblems: (problems: readonly PluginProblem[]) => void
  readonly #strays: StrayErrors

  constructor(settings: PluginSettings, deps: PluginHostDeps) {
    this.#settings = settings
    this.#deps = { asPlugin: (_plugin, work) => work(), ...deps }
    this.#logProblems = createProblemLog(deps.logFor)
    this.#strays = createStrayErrors(deps)
  }

  start(sink: SourceSink): void {
    this.#sink = sink
    this.#stopResolving = resolvePluginImports(this.#versions)
    this.#enqueueApply(sink)
  }

  settled(): Promise<void> {
    return this.#queue
  }

  update(settings: PluginSettings): Promise<void> {
    this.#settings = settings
    const sink = this.#sink
    if (sink === undefined) return this.#queue
    // At once: the change before this one may wait for a plugin that hangs, and what is switched off must not.
    const leaving = [this.#leaving, this.#removeDisabled(sink)]
    this.#leaving = Promise.all(leaving).then(() => undefined, this.#reportDefect)
    this.#enqueueApply(sink)
    return this.#queue
  }

  hooks(): readonly RegisteredHook[] {
    const missing = missingGuards(this.#settings, (id) => this.#standings.get(id)?.running !== undefined)
    return [...missing, ...this.#inOrder().flatMap((standing) => standing.running?.registration.hooks ?? [])]
  }

  changedImports(entries: readonly string[]): Promise<string> {
    return this.#versions.changedImports(entries)
  }

  problems(): readonly PluginProblem[] {
    return [...this.#problems, ...this.#inOrder().flatMap((standing) => this.#strays.of(standing))]
  }

  blame(plugin: string, error: unknown): void {
    this.#strays.add(plugin, error)
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
    await withinBudget(() => this.#queue, CLOSE_GRACE_MS)
    const standings = this.#inOrder().toReversed()
    this.#standings.clear()
    for (const { running } of standings) await running?.registration.close()
    this.#stopResolving?.()
    this.#stopResolving = undefined
  }

  /** However many changes come while one is being applied, one more brings all of them in force. */
  #enqueueApply(sink: SourceSink): void {
    if (this.#isApplyQueued) return
    this.#isApplyQueued = true
    const work = async (): Promise<void> => {
      this.#isApplyQueued = false
      await this.#leaving
      await this.#apply(sink)
    }
    this.#queue = this.#queue.then(work).catch(this.#reportDefect)
  }

  /** A failure here is a defect of ours; it must not keep later changes from being applied. */
  readonly #reportDefect = (error: unknown): void => {
    this.#deps.logFor('host').error(`applying the plugin settings failed: ${describeError(error)}`)
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
    for await (const wave of candidateWaves(settings, {
      ...this.#deps,
      formerOwner,
      urlOf: (entry) => this.#versions.entryUrl(entry),
    })) {
      for (const candidate of wave) {
        seen.add(candidate.owner)
        settling.push(this.#settle(candidate, sink))
      }
    }
    for (const owner of before.keys()) if (!seen.has(owner)) await this.#remove(owner, sink)
    await Promise.all(settling)
    this.#problems = findPluginProblems(this.#inOrder(), this.#settings)
    this.#logProblems(this.#problems)
  }

  async #removeDisabled(sink: SourceSink): Promise<void> {
    const disabled = [...this.#standings.keys()].filter((owner) => !this.#isWanted(owner))
    await Promise.all(disabled.map((owner) => this.#remove(owner, sink)))
  }

  async #remove(owner: string, sink: SourceSink): Promise<void> {
    const standing = this.#standings.get(owner)
    this.#standings.delete(owner)
    if (standing !== undefined) this.#strays.forget(standing)
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
    const standing = await standPlugin(candidate, before, this.#deps)
    if (this.#isClosed || !this.#isWanted(owner)) {
      // It was switched off, or the gateway stops, while it registered.
      sink.removeOwner('plugin', owner)
      return await standing.running?.registration.close()
    }
    this.#standings.set(owner, standing)
    publishStanding(standing, { before, sink, sinceMs: this.#deps.now() })
    // After the new registration stands, so that no call falls into a gap.
    if (standing.running === before?.running) return undefined
    if (before !== undefined) this.#strays.forget(before)
    return await before?.running?.registration.close()
  }

  #inOrder(): readonly Standing[] {
    return [...this.#standings.values()].toSorted((a, b) => a.order - b.order)
  }

  #isWanted(id: string): boolean {
    return this.#settings.entries[id]?.enabled !== false
  }
}
