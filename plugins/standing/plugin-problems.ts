import type { PluginSettings } from '../loading/plugin-settings.ts'
import type { PluginLog } from '../sdk.ts'
import type { Standing } from './stand-plugin.ts'

/** One thing that is wrong with a plugin, for operators. */
export interface PluginProblem {
  /** The plugin's id, or its path where the id is not known or not its own. */
  readonly owner: string
  readonly path: string
  /** Where only this tool is at fault. */
  readonly tool?: string
  readonly reason: string
}

/** What is wrong with the plugins of some settings, and with settings that are about none. */
export function findPluginProblems(
  standings: readonly Standing[],
  { entries }: PluginSettings,
): readonly PluginProblem[] {
  const ids = standings.map((standing) => standing.owner)
  const strays = Object.keys(entries).filter((id) => !ids.includes(id) && entries[id]?.enabled !== false)
  return [
    ...standings.flatMap(problemsOf),
    ...strays.map((id) => ({
      owner: id,
      path: `plugins.entries.${id}`,
      reason: `no plugin has this id; there are ${ids.join(', ') || 'none'}`,
    })),
  ]
}

function problemsOf({ owner, path, running, failure, faults }: Standing): readonly PluginProblem[] {
  const kept = running === undefined ? '' : '; the plugin stays as it was before'
  const whole = failure === undefined ? [] : [{ owner, path, reason: `${failure}${kept}` }]
  return [...whole, ...faults.map((fault) => ({ owner, path, ...fault }))]
}

/** Says each problem to its plugin's log; what was said before is not said again at each change of settings. */
export function createProblemLog(logFor: (plugin: string) => PluginLog): (problems: readonly PluginProblem[]) => void {
  let said: ReadonlySet<string> = new Set()
  return (problems) => {
    const lines = problems.map((problem) => ({ owner: problem.owner, line: lineOf(problem) }))
    for (const { owner, line } of lines) if (!said.has(line)) logFor(owner).error(line)
    said = new Set(lines.map(({ line }) => line))
  }
}

function lineOf({ path, tool, reason }: PluginProblem): string {
  return `${tool === undefined ? path : `tool "${tool}" of ${path}`}: ${reason}`
}
