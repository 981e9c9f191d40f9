import path from 'node:path'
import { withinBudget } from '../../bridge/hooks/within-budget.ts'
import { describeError } from '../describe-error.ts'
import { IMPORT_BUDGET_MS } from '../limits.ts'
import type { AsPlugin } from '../plugin-scope.ts'
import type { PluginLocation } from './locate-plugins.ts'
import type { PluginReading } from './read-plugin.ts'
import { readPlugin } from './read-plugin.ts'

interface LoadDeps {
  /** `(url) => import(url)` of the composition root. */
  readonly importModule: (url: string) => Promise<unknown>
  readonly urlOf: (entry: string) => string
  readonly asPlugin: AsPlugin
  readonly budgetMs?: number
}

/** Imports a plugin's entry file. Whatever goes wrong there is a value: a stranger's file stops nothing. */
export async function loadPlugin(location: PluginLocation, deps: LoadDeps): Promise<PluginReading> {
  const load = async (): Promise<PluginReading> => {
    const url = deps.urlOf(location.entry)
    // Its id is not known before.
    return readDeclared(await deps.asPlugin(location.path, () => deps.importModule(url)), location.manifest?.id)
  }
  const loaded = await withinBudget(load, deps.budgetMs ?? IMPORT_BUDGET_MS)
  if (loaded.kind === 'done') return loaded.value
  const { error } = loaded
  return { kind: 'broken', reason: `importing ${entryOf(location, error)} failed: ${describeError(error)}` }
}

function readDeclared(module: unknown, declared: string | undefined): PluginReading {
  const reading = readPlugin(module)
  if (reading.kind === 'broken' || declared === undefined || declared === reading.plugin.id) return reading
  return { kind: 'broken', reason: `its manifest has the id "${declared}", its code "${reading.plugin.id}"` }
}

/** The file by its own name, with the line where it does not parse. */
function entryOf({ path: known, entry }: PluginLocation, error: unknown): string {
  const file = entry === known ? 'it' : path.relative(known, entry)
  if (!(error instanceof Error) || error.name !== 'SyntaxError') return file
  // Node puts the place of a syntax error ahead of its stack, and nowhere else.
  const [place = ''] = (error.stack ?? '').split('\n', 1)
  const line = /:(\d+)$/.exec(place)?.[1]
  if (line === undefined) return file
  const isOwn = place.includes(path.basename(entry))
  return isOwn ? `${file} (line ${line})` : `${file} (${place})`
}
