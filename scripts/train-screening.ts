import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { findDisguisedName } from '../catalog/sources/mcp/trust/characters/disguised-word.ts'
import { formatWeights } from '../catalog/sources/mcp/trust/model/model-weights.ts'
import { posedName } from '../catalog/sources/mcp/trust/names/posed-name.ts'
import type { ScreenedTool } from '../catalog/sources/mcp/trust/screen-tool.ts'
import { screenTool } from '../catalog/sources/mcp/trust/screen-tool.ts'
import type { LabelledTool } from './screening/labelled-tool.ts'
import { readBenignTools, readLabelledTools, siblingNames } from './screening/labelled-tool.ts'
import type { Example, LinearModel } from './screening/linear-model.ts'
import { scoreOf, trainLinearModel } from './screening/linear-model.ts'
import { toolSigns } from './screening/tool-signs.ts'

const USAGE = `node scripts/launch.mjs scripts/train-screening.ts [--dataset <folder>] [--tools <file>] [--set <name>]… [--write]

Learns the weights of the screening's linear model from its own corpus, a labelled dataset and a catalog of benign tools,
and tells for each set (or those named by --set, "none" for none) what a model that never saw it finds in it. --write puts the weights into the product.
`

const ROOT = path.resolve(import.meta.dirname, '..')
const TRUST = path.join(ROOT, 'catalog/sources/mcp/trust')
/** Texts that are found by their characters alone teach nothing about words, nor do those of names that pose as others. */
const WORDLESS = new Set(['unicode_smuggling', 'decoded_payload', 'hidden', 'encoded'])
/** How much a benign tool counts: those written to look bad most, those of real servers more than those of other APIs. */
const HARD_WEIGHT = 100
/** Written as real servers write, with no thought of looking bad. */
const ORDINARY_WEIGHT = 20
const REAL_WEIGHT = 10
const OTHER_WEIGHT = 0.5
const REAL_SETS = new Set(['livemcp', 'docker-mcp', 'github-mcp'])
/** Part of the benign catalog that the model alone may flag. */
const FLAGGED_MAX = 0.004
/** Weights below this are left out. */
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
    set: { type: 'string', multiple: true },
    write: { type: 'boolean' },
    help: { type: 'boolean' },
  },
})
if (values.help === true) process.stdout.write(USAGE)
else main(values)

interface Asked {
  readonly dataset: string
  readonly tools: string
  readonly set?: readonly string[] | undefined
  readonly write?: boolean | undefined
}

function main({ dataset, tools, set: named, write }: Asked): void {
  const rows = readRows(path.join(dataset, 'dev.jsonl'), tools)
  const benign = rows.filter(({ labelled }) => labelled.set === 'catalog')
  for (const set of new Set(rows.map(({ labelled }) => labelled.set))) {
    if (set === 'catalog' || named?.includes(set) === false) continue
    const model = trainedModel(rows.filter(({ labelled }) => labelled.set !== set))
    const left = rows.filter(({ labelled }) => labelled.set === set)
    process.stdout.write(`${report(set, left, { model, threshold: thresholdOf(model, benign) })}\n`)
  }
  if (write !== true) return
  const model = trainedModel(rows)
  writeFileSync(path.join(TRUST, 'model/weights.gz'), packedWeights(model, thresholdOf(model, benign)))
}

function readRows(dataset: string, tools: string): readonly Row[] {
  const own = readLabelledTools(path.join(TRUST, 'fixtures/descriptions.jsonl'), 'own')
  const given = existsSync(dataset) ? readLabelledTools(dataset, 'dataset') : []
  const catalog = existsSync(tools) ? readBenignTools(tools) : []
  const all = [...own, ...given, ...catalog].filter(
    ({ isMalicious, category, tool }) => !isMalicious || !(WORDLESS.has(category) || hasBadName(tool)),
  )
  const siblingsOf = siblingNames(all)
  return all.map((labelled) => {
    const siblings = siblingsOf(labelled)
    const { isMalicious, set, category, tool } = labelled
    const catalogWeight = REAL_SETS.has(category) ? REAL_WEIGHT : OTHER_WEIGHT
    const ownWeight = category === 'ordinary' ? ORDINARY_WEIGHT : HARD_WEIGHT
    const weight = set === 'catalog' ? catalogWeight : ownWeight
    return { labelled, siblings, example: { isMalicious, segments: toolSigns(tool, siblings), weight } }
  })
}

/** Whose name poses as another's may have that one's honest description word for word. */
function hasBadName(tool: ScreenedTool): boolean {
  return posedName(tool).length > 0 || findDisguisedName(tool.name) !== undefined
}

/** Without what hardly counts; many small weights add up, so the threshold is looked for after they are gone. */
function trainedModel(rows: readonly Row[]): LinearModel {
  const { bias, weights } = trainLinearModel(rows.map(({ example }) => example))
  return { bias, weights: new Map([...weights].filter(([, weight]) => Math.abs(weight) >= WEIGHT_MIN)) }
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

function packedWeights({ bias, weights }: LinearModel, threshold: number): Buffer {
  return gzipSync(formatWeights({ bias, threshold, byFeature: weights }), { level: 9 })
}
