import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { UsageError } from '../hosting/usage-error.ts'
import type { Figure } from './figure.ts'
import { ABLATIONS, LEARNING_ABLATIONS } from './search/ablations.ts'
import { flexsearchEngine } from './search/baseline-flexsearch.ts'
import { minisearchEngine } from './search/baseline-minisearch.ts'
import { oramaEngine } from './search/baseline-orama.ts'
import { referenceEngine } from './search/baseline-reference.ts'
import { idsByName, readDataset, readQueries } from './search/dataset.ts'
import { createDrawbridgeEngine } from './search/drawbridge-engine.ts'
import { leaveOutFigures } from './search/leave-out.ts'
import { baselineCosts, drawbridgeCosts } from './search/measure-cost.ts'
import type { QualityRequest } from './search/measure-quality.ts'
import { lookupFigures, measureBaseline, measureDrawbridge, qualityFigures } from './search/measure-quality.ts'

const USAGE =
  'npm run bench -- search --dataset DIR [--in-set] [--warm FILE] [--ablation] [--leave-out] [--quality-only]'
const BASELINES = [referenceEngine, minisearchEngine, flexsearchEngine, oramaEngine]

/** Quality, look-ups, time and memory of the search, ours and of what it is compared with. */
export async function bench(args: readonly string[], print: (figure: Figure) => void): Promise<void> {
  const options = readOptions(args)
  const data = readDataset(options.dataset)
  const log = options.warm === undefined ? [] : readQueries(options.warm, idsByName(options.dataset))
  const request: QualityRequest = { data, inSet: options.inSet, log }
  const under = { track: options.inSet ? 'in-set' : 'pooled', warm: log.length > 0 }
  progress(`${data.tools.length} tools, ${data.queries.length} queries, ${data.lookups.length} look-ups`)
  for (const figure of qualityFigures(measureDrawbridge(request), { engine: 'drawbridge', ...under })) print(figure)
  if (options.ablation) return printAblations(request, print)
  if (options.leaveOut) return printAll(leaveOutFigures(data, progress), print)
  if (log.length === 0) await printBaselines(request, print)
  if (!options.inSet) await printLookups(request, print)
  if (options.qualityOnly) return
  progress('time and memory')
  for await (const figure of drawbridgeCosts(data)) print(figure)
  for (const maker of BASELINES) for await (const figure of baselineCosts(maker, data)) print(figure)
}

interface Options {
  readonly dataset: string
  readonly inSet: boolean
  readonly warm: string | undefined
  readonly ablation: boolean
  readonly leaveOut: boolean
  readonly qualityOnly: boolean
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      dataset: { type: 'string' },
      'in-set': { type: 'boolean' },
      warm: { type: 'string' },
      ablation: { type: 'boolean' },
      'leave-out': { type: 'boolean' },
      'quality-only': { type: 'boolean' },
    },
  })
  if (values.dataset === undefined) throw new UsageError(`no --dataset; ${USAGE}`)
  if (!existsSync(values.dataset)) throw new UsageError(`there is no folder "${values.dataset}"; ${USAGE}`)
  return {
    dataset: values.dataset,
    inSet: values['in-set'] === true,
    warm: values.warm,
    ablation: values.ablation === true,
    leaveOut: values['leave-out'] === true,
    qualityOnly: values['quality-only'] === true,
  }
}

function printAll(figures: Iterable<Figure>, print: (figure: Figure) => void): void {
  for (const figure of figures) print(figure)
}

function printAblations(request: QualityRequest, print: (figure: Figure) => void): void {
  for (const [without, weights] of request.log.length > 0 ? LEARNING_ABLATIONS : ABLATIONS) {
    progress(`without ${without}`)
    const averages = measureDrawbridge(request, weights)
    const track = request.inSet ? 'in-set' : 'pooled'
    for (const figure of qualityFigures(averages, { engine: 'drawbridge', track, without })) print(figure)
  }
}

async function printBaselines(request: QualityRequest, print: (figure: Figure) => void): Promise<void> {
  for (const maker of BASELINES) {
    progress(maker.name)
    const under = { engine: maker.name, track: request.inSet ? 'in-set' : 'pooled', warm: false }
    for (const figure of qualityFigures(await measureBaseline(maker, request), under)) print(figure)
  }
}

async function printLookups({ data }: QualityRequest, print: (figure: Figure) => void): Promise<void> {
  progress('look-ups by name')
  const ours = createDrawbridgeEngine(data, { inSet: false })
  for (const figure of await lookupFigures('drawbridge', data.lookups, (query) => ours.search(query, 1))) print(figure)
  for (const maker of BASELINES) {
    const engine = await maker.build(data.tools.map(({ tool }) => tool))
    const figures = await lookupFigures(maker.name, data.lookups, ({ query }) => engine.search(query, 1))
    for (const figure of figures) print(figure)
  }
}

function progress(text: string): void {
  process.stderr.write(`search: ${text}\n`)
}
