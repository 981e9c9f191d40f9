import type { JsonObject } from '../../catalog/json.ts'
import type { SchemaChecker } from '../../catalog/schema.ts'
import type { PluginManifest } from '../manifest.ts'
import type { Plugin } from '../sdk.ts'
import { loadPlugin } from './load-plugin.ts'
import { readConfig } from './read-config.ts'
import type { Located } from './locate-plugins.ts'
import { locatePlugins } from './locate-plugins.ts'

/** `plugins` of the configuration, its paths made absolute. */
export interface PluginSettings {
  readonly paths: readonly string[]
  readonly entries: Readonly<Record<string, PluginEntry>>
}

export interface PluginEntry {
  /** Default true. */
  readonly enabled?: boolean
  /** JSON. Default `{}`. */
  readonly config?: Readonly<Record<string, unknown>>
}

/** A plugin that is to run, or why it cannot. Disabled plugins are neither. */
export type Candidate = PluginCandidate | FailedCandidate

export interface PluginCandidate {
  readonly kind: 'plugin'
  readonly owner: string
  readonly path: string
  readonly plugin: Plugin
  readonly manifest?: PluginManifest
  readonly config: JsonObject
}

export interface FailedCandidate {
  readonly kind: 'failed'
  /** The plugin's id where it is known and free, else its path. */
  readonly owner: string
  readonly path: string
  readonly reason: string
}

interface CandidateDeps {
  readonly bundled: readonly Plugin[]
  readonly importModule: (url: string) => Promise<unknown>
  readonly schemas: Pick<SchemaChecker, 'inspect' | 'validate'>
  readonly importBudgetMs?: number
}

/** What came out of one location, before ids are compared. */
type Loaded =
  | { readonly kind: 'plugin'; readonly path: string; readonly plugin: Plugin; readonly manifest?: PluginManifest }
  | { readonly kind: 'failed'; readonly path: string; readonly id?: string; readonly reason: string }
  | { readonly kind: 'disabled'; readonly id: string }

/** Bundled plugins first, then those of each path; of two with one id the first keeps it. */
export async function findCandidates(settings: PluginSettings, deps: CandidateDeps): Promise<readonly Candidate[]> {
  const located = await locatePlugins(settings.paths)
  const loaded = await Promise.all(located.map((one) => load(one, settings, deps)))
  const bundled = deps.bundled.map((plugin): Loaded => ({ kind: 'plugin', path: `bundled:${plugin.id}`, plugin }))
  return claimIds([...bundled, ...loaded], settings, deps)
}

async function load(located: Located, settings: PluginSettings, deps: CandidateDeps): Promise<Loaded> {
  if (located.kind === 'failed') return located
  const { path, manifest } = located.location
  if (manifest !== undefined) {
    if (settings.entries[manifest.id]?.enabled === false) return { kind: 'disabled', id: manifest.id }
    // Before any of its code runs.
    const reading = readConfig(manifest, settings.entries[manifest.id]?.config, deps.schemas)
    if (reading.kind === 'broken') return { kind: 'failed', path, id: manifest.id, reason: reading.reason }
  }
  const reading = await loadPlugin(located.location, {
    importModule: deps.importModule,
    ...(deps.importBudgetMs === undefined ? {} : { budgetMs: deps.importBudgetMs }),
  })
  const known = manifest === undefined ? {} : { id: manifest.id }
  if (reading.kind === 'broken') return { kind: 'failed', path, ...known, reason: reading.reason }
  return { kind: 'plugin', path, plugin: reading.plugin, ...(manifest === undefined ? {} : { manifest }) }
}

function claimIds(loaded: readonly Loaded[], settings: PluginSettings, deps: CandidateDeps): readonly Candidate[] {
  const holders = new Map<string, Loaded>()
  for (const one of loaded) if (one.kind === 'plugin' && !holders.has(one.plugin.id)) holders.set(one.plugin.id, one)
  return loaded.flatMap((one): readonly Candidate[] => {
    if (one.kind === 'disabled') return []
    const { path } = one
    if (one.kind === 'failed') {
      const owner = one.id === undefined || holders.has(one.id) ? path : one.id
      if (one.id !== undefined && !holders.has(one.id)) holders.set(one.id, one)
      return [{ kind: 'failed', owner, path, reason: one.reason }]
    }
    const { id } = one.plugin
    if (settings.entries[id]?.enabled === false) return []
    const holder = holders.get(id)
    if (holder !== one) {
      const reason = `its id "${id}" is that of ${pathOf(holder)}; give one of them another id`
      return [{ kind: 'failed', owner: path, path, reason }]
    }
    const configSchema = one.plugin.configSchema ?? one.manifest?.configSchema
    const reading = readConfig({ id, configSchema }, settings.entries[id]?.config, deps.schemas)
    if (reading.kind === 'broken') return [{ kind: 'failed', owner: id, path, reason: reading.reason }]
    return [{ ...one, owner: id, config: reading.config }]
  })
}

function pathOf(loaded: Loaded | undefined): string {
  return loaded === undefined || loaded.kind === 'disabled' ? 'another plugin' : loaded.path
}
