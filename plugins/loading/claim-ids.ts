import type { JsonObject } from '../../catalog/json.ts'
import type { SchemaChecker } from '../../catalog/schema.ts'
import type { PluginManifest } from '../manifest.ts'
import type { Plugin } from '../sdk.ts'
import type { PluginSettings } from './plugin-settings.ts'
import { readConfig } from './read-config.ts'

/** A plugin that is to run, or why it cannot. Disabled plugins are neither. */
export type Candidate = PluginCandidate | FailedCandidate

interface CandidateCommon {
  /** The plugin's id where it is known and free, else its path. */
  readonly owner: string
  readonly path: string
  /** Its place in the settings, bundled plugins first. */
  readonly order: number
}

export interface PluginCandidate extends CandidateCommon {
  readonly kind: 'plugin'
  readonly plugin: Plugin
  readonly manifest?: PluginManifest
  readonly config: JsonObject
}

interface FailedCandidate extends CandidateCommon {
  readonly kind: 'failed'
  readonly reason: string
}

/** What came out of one location, before ids are compared. */
export type Loaded = { readonly order: number } & (
  | { readonly kind: 'plugin'; readonly path: string; readonly plugin: Plugin; readonly manifest?: PluginManifest }
  | { readonly kind: 'failed'; readonly path: string; readonly id?: string; readonly reason: string }
  | { readonly kind: 'disabled'; readonly id: string }
)

interface ClaimDeps {
  readonly settings: PluginSettings
  readonly schemas: Pick<SchemaChecker, 'inspect' | 'validate'>
  /** Id of the plugin that last came from this path. */
  readonly formerOwner: (path: string) => string | undefined
}

/** Gives each id to the first that has it: earlier waves before later ones, and by order within a wave. */
export function createIdClaims(deps: ClaimDeps): (wave: readonly Loaded[]) => readonly Candidate[] {
  const holders = new Map<string, Loaded>()
  return (wave) => {
    for (const one of wave) if (one.kind === 'plugin' && !holders.has(one.plugin.id)) holders.set(one.plugin.id, one)
    return wave.flatMap((one): readonly Candidate[] => {
      switch (one.kind) {
        case 'disabled':
          return []
        case 'failed':
          return [{ ...one, owner: claimForFailed(one, holders, deps) }]
        case 'plugin':
          return claimForPlugin(one, holders, deps)
      }
    })
  }
}

/** A file that does not load may not say whose it is: it is still that of the plugin that last came from it. */
function claimForFailed(
  failed: Extract<Loaded, { readonly kind: 'failed' }>,
  holders: Map<string, Loaded>,
  deps: ClaimDeps,
): string {
  const id = failed.id ?? deps.formerOwner(failed.path)
  if (id === undefined || holders.has(id)) return failed.path
  holders.set(id, failed)
  return id
}

function claimForPlugin(
  loaded: Extract<Loaded, { readonly kind: 'plugin' }>,
  holders: ReadonlyMap<string, Loaded>,
  { settings, schemas }: ClaimDeps,
): readonly Candidate[] {
  const { plugin, path, order } = loaded
  const { id } = plugin
  const entry = settings.entries[id]
  if (entry?.enabled === false) return []
  const holder = holders.get(id)
  if (holder !== loaded) {
    const reason = `its id "${id}" is that of ${pathOf(holder)}; give one of them another id`
    return [{ kind: 'failed', owner: path, path, order, reason }]
  }
  const configSchema = plugin.configSchema ?? loaded.manifest?.configSchema
  const reading = readConfig({ id, configSchema }, entry?.config, schemas)
  if (reading.kind === 'broken') return [{ kind: 'failed', owner: id, path, order, reason: reading.reason }]
  return [{ ...loaded, owner: id, config: reading.config }]
}

function pathOf(loaded: Loaded | undefined): string {
  return loaded === undefined || loaded.kind === 'disabled' ? 'another plugin' : loaded.path
}
