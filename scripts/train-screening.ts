import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { posedName } from '../catalog/sources/mcp/trust/names/posed-name.ts'
import { screenTool } from '../catalog/sources/mcp/trust/screen-tool.ts'
import type { LabelledTool } from './screening/labelled-tool.ts'
import { readBenignTools, readLabelledTools, siblingNames } from './screening/labelled-tool.ts'
import type { Example, LinearModel } from './screening/linear-model.ts'
import { scoreOf, trainLinearModel } from './screening/linear-model.ts'
import { toolSigns } from './screening/tool-signs.ts'

const USAGE = `node scripts/launch.mjs scripts/train-screening.ts [--dataset <folder>] [--tools <file>] [--write]

Learns the weights of the screening's linear model from its own corpus, a labelled dataset and a catalog of benign tools,
and tells for each set what a model that never saw it finds in it. --write puts the weights into the product.
`

const ROOT = path.resolve(import.meta.dirname, '..')
const TRUST = path.join(ROOT, 'catalog/sources/mcp/trust')
/** Texts that are found by their characters alone teach nothing about words, nor do those of names that pose as others. */
const WORDLESS = new Set(['unicode_smuggling', 'decoded_payload', 'hidden', 'encoded'])
/** How much a benign tool counts: those written to look bad most, those of real servers more than those of other APIs. */
const HARD_WEIGHT = 200
const REAL_WEIGHT = 2
const OTHER_WEIGHT = 0.5
const REAL_SETS = new Set(['livemcp', 'docker-mcp', 'github-mcp'])
/** Part of the benign catalog that the model alone may flag. */
const FLAGGED_MAX = 0.003
/** Of the file of weights; some thousand of them on some hundred lines. */
const LINE_LENGTH = 1_000
/** Weights below this change nothing. */
const WEIGHT_MIN = 0.05

interface Row {
  readonly labelled: LabelledTool
  readonly example: Example
  readonly siblings: ReadonlySet<string>
}

const { values } = parseArgs({
  options: {
    dataset: { type: 'string', default: path.join(ROOT, '../shared/mcp-descriptions') },
    tools: { type: 'string', default: path.join(ROOT, '../shared/bench/tools.jsonl') },
    write: { type: 'boolean' },
    help: { type: 'boolean' },
  },
})
if (values.help === true) process.stdout.write(USAGE)
else main(values)

function main({
  dataset,
  tools,
  write,
}: {
  readonly dataset: string
  readonly tools: string
  readonly write?: boolean | undefined
}): void {
  const rows = readRows(path.join(dataset, 'dev.jsonl'), tools)
  const benign = rows.filter(({ labelled }) => labelled.set === 'catalog')
  for (const set of new Set(rows.map(({ labelled }) => labelled.set))) {
    if (set === 'catalog') continue
    const model = trainLinearModel(rows.filter(({ labelled }) => labelled.set !== set).map(({ example }) => example))
    const left = rows.filter(({ labelled }) => labelled.set === set)
    process.stdout.write(`${report(set, left, { model, threshold: thresholdOf(model, benign) })}\n`)
  }
  if (write !== true) return
  const model = trainLinearModel(rows.map(({ example }) => example))
  writeFileSync(path.join(TRUST, 'model/weights.ts'), weightsFile(model, thresholdOf(model, benign)))
}

function readRows(dataset: string, tools: string): readonly Row[] {
  const own = readLabelledTools(path.join(TRUST, 'fixtures/descriptions.jsonl'), 'own')
  const given = existsSync(dataset) ? readLabelledTools(dataset, 'dataset') : []
  const catalog = existsSync(tools) ? readBenignTools(tools) : []
  const all = [...own, ...given, ...catalog].filter(
    ({ isMalicious, category, tool }) => !isMalicious || !(WORDLESS.has(category) || posedName(tool).length > 0),
  )
  const siblingsOf = siblingNames(all)
  return all.map((labelled) => {
    const siblings = siblingsOf(labelled)
    const { isMalicious, set, category, tool } = labelled
    const catalogWeight = REAL_SETS.has(category) ? REAL_WEIGHT : OTHER_WEIGHT
    const weight = set === 'catalog' ? catalogWeight : HARD_WEIGHT
    return { labelled, siblings, example: { isMalicious, segments: toolSigns(tool, siblings), weight } }
  })
}

/** The score that so few of the benign catalog exceed. */
function thresholdOf(model: LinearModel, benign: readonly Row[]): number {
  const scores = benign.map(({ example }) => scoreOf(model, example.segments)).toSorted((a, b) => b - a)
  return scores[Math.floor(scores.length * FLAGGED_MAX)] ?? 1
}

function report(
  set: string,
  rows: readonly Row[],
  given: { readonly model: LinearModel; readonly threshold: number },
): string {
  const isFound = ({ example }: Row): boolean => scoreOf(given.model, example.segments) > given.threshold
  const hasRule = ({ labelled: { tool }, siblings }: Row): boolean =>
    screenTool(tool, siblings).some(({ reason }) => !reason.startsWith('reads like'))
  const count = (isMalicious: boolean, holds: (row: Row) => boolean): string => {
    const of = rows.filter(({ example }) => example.isMalicious === isMalicious)
    return `${of.filter(holds).length}/${of.length}`
  }
  const both = (row: Row): boolean => hasRule(row) || isFound(row)
  return `set ${set}: found by rules ${count(true, hasRule)}, with the model ${count(true, both)}; false alarms ${count(false, hasRule)}, ${count(false, both)}`
}

function weightsFile({ bias, weights }: LinearModel, threshold: number): string {
  const kept = [...weights].filter(([, weight]) => Math.abs(weight) >= WEIGHT_MIN)
  const entries = [
    ['bias', bias] as const,
    ['threshold', threshold] as const,
    ...kept.toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ]
  const lines: string[] = []
  let line = ''
  for (const [name, weight] of entries) {
    const entry = `${name}=${weight.toFixed(2)}`
    if (line.length + entry.length > LINE_LENGTH) lines.push(line)
    line = line.length + entry.length > LINE_LENGTH ? entry : `${line}${line === '' ? '' : ' '}${entry}`
  }
  lines.push(line)
  return `/** Made by \`scripts/train-screening.ts --write\`: how much each sign, and each pair of them, speaks for an instruction. */
const TEXT = \`
${lines.join('\n')}
\`

export const WEIGHTS: ReadonlyMap<string, number> = new Map(
  TEXT.trim()
    .split(/\\s+/)
    .map((entry) => {
      const [name = '', weight] = entry.split('=')
      return [name, Number(weight)] as const
    }),
)
`
}
