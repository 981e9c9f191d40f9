import type { RegisteredHook } from '../bridge/hooks.ts'
import { canonicalJson } from '../catalog/json.ts'
import type { SchemaChecker } from '../catalog/schema.ts'
import type { Source, SourceSink } from '../catalog/source.ts'
import type { ToolDefinition } from '../catalog/tool.ts'
import type { ToolId } from '../catalog/tool-id.ts'
import { describeError } from './describe-error.ts'
import type { Candidate, PluginCandidate, PluginSettings } from './loading/find-candidates.ts'
import { findCandidates } from './loading/find-candidates.ts'
import { resolveSdkImports } from './loading/sdk-resolution.ts'
import type { Registration, ToolFault } from './registering/register-plugin.ts'
import { registerPlugin } from './registering/register-plugin.ts'
import { selectTools } from './registering/select-tools.ts'
import type { Plugin, PluginLog } from './sdk.ts'

/** One thing that is wrong with a plugin, for operators. */
export interface PluginProblem {
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
  /** Of all registered plugins, in the order of the settings. */
  hooks(): readonly RegisteredHook[]
  problems(): readonly PluginProblem[]
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
  readonly running?: Running
  readonly tools: readonly ToolDefinition[]
  readonly faults: readonly ToolFault[]
  /** Why it does not run, or why it still runs as it was before. */
  readonly failure?: string
}

class Host implements PluginHost {
  readonly #deps: PluginHostDeps
  #settings: PluginSettings
  #sink: SourceSink | undefined
  #stopResolving: (() => void) | undefined
  #isClosed = false
  /** Changes are applied one after the other. */
  #queue: Promise<void> = Promise.resolve()
  #standings: ReadonlyMap<string, Standing> = new Map()
  #problems: readonly PluginProblem[] = []

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
    if (sink !== undefined) this.#enqueue(() => this.#apply(sink))
    return this.#queue
  }

  hooks(): readonly RegisteredHook[] {
    return [...this.#standings.values()].flatMap((standing) => standing.running?.registration.hooks ?? [])
  }

  problems(): readonly PluginProblem[] {
    return this.#problems
  }

  close(): Promise<void> {
    this.#isClosed = true
    this.#enqueue(async () => {
      const standings = [...this.#standings.values()].toReversed()
      this.#standings = new Map()
      for (const { running } of standings) await running?.registration.close()
      this.#stopResolving?.()
      this.#stopResolving = undefined
    })
    return this.#queue
  }

  /** A failure here is a defect of ours; it must not keep later changes from being applied. */
  #enqueue(work: () => Promise<void>): void {
    this.#queue = this.#queue.then(work).catch((error: unknown) => {
      this.#deps.logFor('host').error(`applying the plugin settings failed: ${describeError(error)}`)
    })
  }

  async #apply(sink: SourceSink): Promise<void> {
    if (this.#isClosed) return
    const before = this.#standings
    const candidates = keepOwners(await findCandidates(this.#settings, this.#deps), before)
    for (const { kind, owner } of candidates) {
      if (kind === 'failed' || before.has(owner)) continue
      sink.setState('plugin', owner, { kind: 'connecting', sinceMs: this.#deps.now() })
    }
    const standings = await Promise.all(candidates.map((one) => this.#stand(one, before.get(one.owner)?.running)))
    this.#standings = new Map(standings.map((standing) => [standing.owner, standing]))
    this.#publish(sink, before)
    this.#report()
    // After the new registrations stand, so that no call falls into a gap.
    for (const [owner, { running }] of before) {
      if (running !== this.#standings.get(owner)?.running) await running?.registration.close()
    }
  }

  async #stand(candidate: Candidate, before: Running | undefined): Promise<Standing> {
    const { owner, path } = candidate
    if (candidate.kind === 'failed') return this.#stay({ owner, path, failure: candidate.reason }, before)
    const { plugin, manifest } = candidate
    const config = canonicalJson(candidate.config)
    const isSame = before?.plugin === plugin && before.config === config
    const result = isSame
      ? { kind: 'registered' as const, registration: before.registration }
      : await this.#register(candidate)
    if (result.kind === 'failed') return this.#stay({ owner, path, failure: result.reason }, before)
    const { registration } = result
    const { isOptionalToolAllowed } = this.#deps
    const selected = selectTools(registration.tools, { plugin: plugin.id, manifest, isOptionalToolAllowed })
    const faults = [...registration.faults, ...selected.faults]
    const running = isSame ? before : { plugin, config, registration }
    return { owner, path, running, tools: selected.tools, faults }
  }

  #register({ plugin, config }: PluginCandidate): ReturnType<typeof registerPlugin> {
    const { registerBudgetMs, logFor } = this.#deps
    const budget = registerBudgetMs === undefined ? {} : { budgetMs: registerBudgetMs }
    return registerPlugin(plugin, { config, log: logFor(plugin.id), ...budget })
  }

  /** The last good registration stays in force, if there is one. */
  #stay(failed: Pick<Standing, 'owner' | 'path' | 'failure'>, before: Running | undefined): Standing {
    const { tools = [], faults = [] } = this.#standings.get(failed.owner) ?? {}
    return before === undefined ? { ...failed, tools: [], faults: [] } : { ...failed, running: before, tools, faults }
  }

  #publish(sink: SourceSink, before: ReadonlyMap<string, Standing>): void {
    const sinceMs = this.#deps.now()
    for (const owner of before.keys()) if (!this.#standings.has(owner)) sink.removeOwner('plugin', owner)
    for (const { owner, path, running, tools, failure } of this.#standings.values()) {
      sink.setTools('plugin', owner, tools)
      if (running === undefined) {
        sink.setState('plugin', owner, { kind: 'down', sinceMs, reason: `${path}: ${failure ?? 'not loaded'}` })
      } else if (running !== before.get(owner)?.running) {
        sink.setState('plugin', owner, { kind: 'ready', sinceMs })
      }
    }
  }

  #report(): void {
    const standings = [...this.#standings.values()]
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
      this.#deps.logFor(owner).error(`${subject}: ${reason}`)
    }
  }

  #isWanted(id: string): boolean {
    return this.#settings.entries[id]?.enabled !== false
  }
}

/** A file that no longer loads does not say whose it is: it is still that of the plugin that came from it. */
function keepOwners(candidates: readonly Candidate[], before: ReadonlyMap<string, Standing>): readonly Candidate[] {
  const owners = new Set(candidates.map((candidate) => candidate.owner))
  return candidates.map((candidate) => {
    if (candidate.kind === 'plugin') return candidate
    const known = [...before.values()].find(({ path, owner }) => path === candidate.path && !owners.has(owner))
    return known === undefined ? candidate : { ...candidate, owner: known.owner }
  })
}

function problemsOf({ owner, path, running, failure, faults }: Standing): readonly PluginProblem[] {
  const kept = running === undefined ? '' : '; the plugin stays as it was before'
  const whole = failure === undefined ? [] : [{ owner, path, reason: `${failure}${kept}` }]
  return [...whole, ...faults.map((fault) => ({ owner, path, ...fault }))]
}
