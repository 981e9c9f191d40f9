import { existsSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { screenTool } from '../../catalog/sources/mcp/trust/screen-tool.ts'
import type { LabelledTool } from '../screening/labelled-tool.ts'
import { readBenignTools, readLabelledTools, siblingNames } from '../screening/labelled-tool.ts'
import type { Figure } from './figure.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const FIXTURES = path.join(ROOT, 'catalog/sources/mcp/trust/fixtures')

/**
 * How many malicious descriptions the screening finds and how many benign ones it flags, in all and by category.
 * `--dataset` is a folder with `dev.jsonl`, or a file of that form; `--tools` a catalog of tools that are taken for benign.
 */
export async function bench(args: readonly string[], print: (figure: Figure) => void): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      dataset: { type: 'string', default: path.join(ROOT, '../shared/mcp-descriptions') },
      tools: { type: 'string', default: path.join(ROOT, '../shared/bench/tools.jsonl') },
    },
  })
  const { dataset, tools } = values
  measure('own', readLabelledTools(path.join(FIXTURES, 'descriptions.jsonl'), 'own'), print)
  // No weight has learned from these; which of them rules have seen stands in the README of `trust/`.
  measure('kept', readLabelledTools(path.join(FIXTURES, 'kept-descriptions.jsonl'), 'kept'), print)
  const file = dataset.endsWith('.jsonl') ? dataset : path.join(dataset, 'dev.jsonl')
  if (existsSync(file)) measure('dataset', readLabelledTools(file, 'dataset'), print)
  if (existsSync(tools)) measure('catalog', readBenignTools(tools), print)
}

function measure(set: string, tools: readonly LabelledTool[], print: (figure: Figure) => void): void {
  const common = { area: 'screening', engine: 'drawbridge', set, unit: 'ratio' }
  const siblingsOf = siblingNames(tools)
  const started = process.cpuUsage()
  const screened = tools.map((labelled) => ({
    ...labelled,
    isFlagged: screenTool(labelled.tool, siblingsOf(labelled)).length > 0,
  }))
  const cpu = process.cpuUsage(started)
  for (const isMalicious of [true, false]) {
    const of = screened.filter((labelled) => labelled.isMalicious === isMalicious)
    if (of.length === 0) continue
    const name = isMalicious ? 'found' : 'false-alarms'
    print({ ...common, name, value: shareOf(of), count: of.length })
    for (const [category, some] of Map.groupBy(of, (labelled) => labelled.category))
      print({ ...common, name, value: shareOf(some), count: some.length, category })
  }
  const microseconds = (cpu.user + cpu.system) / Math.max(tools.length, 1)
  print({ ...common, name: 'cpu-per-tool', value: microseconds / 1_000, unit: 'ms', count: tools.length })
}

function shareOf(tools: readonly { readonly isFlagged: boolean }[]): number {
  return tools.filter(({ isFlagged }) => isFlagged).length / tools.length
}
