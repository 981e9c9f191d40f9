import type { SchemaChecker } from '../../catalog/schema.ts'
import { IMPORT_GRACE_MS } from '../limits.ts'
import type { AsPlugin } from '../plugin-scope.ts'
import type { Plugin } from '../sdk.ts'
import type { Candidate, Loaded } from './claim-ids.ts'
import { createIdClaims } from './claim-ids.ts'
import { loadPlugin } from './load-plugin.ts'
import type { Located } from './locate-plugins.ts'
import { locatePlugins } from './locate-plugins.ts'
import type { PluginSettings } from './plugin-settings.ts'
import { readConfig } from './read-config.ts'

interface WaveDeps {
  readonly bundled: readonly Plugin[]
  readonly importModule: (url: string) => Promise<unknown>
  /** The address of an entry file as it is now. */
  readonly urlOf: (entry: string) => string
  readonly asPlugin: AsPlugin
  readonly schemas: Pick<SchemaChecker, 'inspect' | 'validate'>
  /** Id of the plugin that last came from this path. */
  readonly formerOwner: (path: string) => string | undefined
  readonly importBudgetMs?: number
}

/**
 * Every plugin of the settings, in up to three waves, so that a file that hangs holds up no other: the bundled ones at
 * once, then all whose import took no more than a moment, then the rest.
 */
export async function* candidateWaves(
  settings: PluginSettings,
  deps: WaveDeps,
): AsyncGenerator<readonly Candidate[], void> {
  const claim = createIdClaims({ settings, ...deps })
  const bundled = deps.bundled.map((plugin, order): Loaded => {
    return { kind: 'plugin', path: `bundled:${plugin.id}`, plugin, order }
  })
  yield claim(bundled)
  const located = await locatePlugins(settings.paths)
  const loads = located.map(async (one, at): Promise<Loaded> => {
    return { ...(await load(one, settings, deps)), order: bundled.length + at }
  })
  const prompt = await promptOf(loads)
  yield claim(prompt)
  if (prompt.length === loads.length) return
  const all = await Promise.all(loads)
  yield claim(all.filter((loaded) => !prompt.includes(loaded)))
}

/** Those that are there within the grace, in their order. */
async function promptOf(loads: readonly Promise<Loaded>[]): Promise<readonly Loaded[]> {
  const done: Loaded[] = []
  const all = Promise.all(loads.map(async (one) => done.push(await one)))
  const { promise: grace, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, IMPORT_GRACE_MS)
  await Promise.race([all, grace])
  clearTimeout(timer)
  return done.toSorted((a, b) => a.order - b.order)
}

type Unordered = Loaded extends infer One ? (One extends Loaded ? Omit<One, 'order'> : never) : never

async function load(located: Located, settings: PluginSettings, deps: WaveDeps): Promise<Unordered> {
  if (located.kind === 'failed') return located
  const { path, manifest } = located.location
  if (manifest !== undefined) {
    const entry = settings.entries[manifest.id]
    if (entry?.enabled === false) return { kind: 'disabled', id: manifest.id }
    // Before any of its code runs.
    const reading = readConfig(manifest, entry?.config, deps.schemas)
    if (reading.kind === 'broken') return { kind: 'failed', path, id: manifest.id, reason: reading.reason }
  }
  const reading = await loadPlugin(located.location, {
    importModule: deps.importModule,
    urlOf: deps.urlOf,
    asPlugin: deps.asPlugin,
    ...(deps.importBudgetMs === undefined ? {} : { budgetMs: deps.importBudgetMs }),
  })
  const known = manifest === undefined ? {} : { id: manifest.id }
  if (reading.kind === 'broken') return { kind: 'failed', path, ...known, reason: reading.reason }
  return { kind: 'plugin', path, plugin: reading.plugin, ...(manifest === undefined ? {} : { manifest }) }
}
