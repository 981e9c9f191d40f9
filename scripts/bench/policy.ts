import { parseArgs } from 'node:util'
import { createSchemaChecker } from '../../catalog/schema.ts'
import { createSearchIndex } from '../../catalog/search/create-search-index.ts'
import type { Tool } from '../../catalog/tool.ts'
import { createViewCache } from '../../gateway/views/view-cache.ts'
import type { Policy } from '../../policy/policy.ts'
import { createPolicy } from '../../policy/policy.ts'
import { createMatchWhen } from '../../policy/rules/when/match-when.ts'
import type { PolicySettings } from '../../policy/settings.ts'
import type { Figure } from './figure.ts'
import { manyTools } from './policy/many-tools.ts'
import { ENTRY_KINDS, policyOfEntries } from './policy/policy-of-entries.ts'

const USAGE = 'npm run bench -- policy [--tools N] [--entries N]'
const ROUNDS = 23
/** Until the code is compiled. */
const WARM_UP_ROUNDS = 3
const CALLS = 2_000

/** What it costs to decide a view and a call, with as many entries as tools, for each kind of entry and for all mixed. */
export async function bench(args: readonly string[], print: (figure: Figure) => void): Promise<void> {
  const { tools: count, entries } = readOptions(args)
  const tools = manyTools(count)
  for (const kind of ENTRY_KINDS) {
    const settings = policyOfEntries(kind, entries, tools)
    for (const figure of measure(settings, tools))
      print({ area: 'policy', engine: 'drawbridge', kind, clock: 'cpu', entries, tools: count, ...figure })
  }
}

function readOptions(args: readonly string[]): { readonly tools: number; readonly entries: number } {
  const { values } = parseArgs({ args: [...args], options: { tools: { type: 'string' }, entries: { type: 'string' } } })
  const read = (text: string | undefined): number => {
    const value = Number(text ?? 10_000)
    if (Number.isSafeInteger(value) && value > 0) return value
    throw new Error(`"${text}" is no number of tools or entries; ${USAGE}`)
  }
  return { tools: read(values.tools), entries: read(values.entries) }
}

type Measured = Pick<Figure, 'name' | 'value' | 'unit'>

const CALLER = { tenant: 'default', agent: 'default' }

/**
 * Means of the rounds in time of this thread on a processor, so that what else the machine does counts little; each with
 * a policy that has decided nothing yet. All of it is one thread's work without waiting. The least would tell less: that
 * clock lags by up to some milliseconds.
 */
function measure(settings: PolicySettings, tools: readonly Tool[]): readonly Measured[] {
  const matches = createMatchWhen(createSchemaChecker())
  const fresh = (): Policy => createPolicy(settings, { matches })
  const compileMs: number[] = []
  const viewMs: number[] = []
  const callUs: number[] = []
  const denied = new Set<number>()
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = cpuMs()
    const policy = fresh()
    const own = policy.of(CALLER)
    compileMs.push(cpuMs() - start)
    viewMs.push(timeView(policy, tools))
    const before = cpuMs()
    for (let call = 0; call < CALLS; call += 1) {
      const tool = tools[(call * 7919) % tools.length]
      if (tool !== undefined) policy.of({ ...CALLER }).decide(tool, { amount: call, note: 'x' })
    }
    callUs.push(((cpuMs() - before) * 1_000) / CALLS)
    denied.add(tools.filter((tool) => own.shown(tool) === undefined).length)
  }
  return [
    { name: 'compile', value: mean(compileMs), unit: 'ms' },
    { name: 'decide-view', value: mean(viewMs), unit: 'ms' },
    { name: 'decide-call', value: mean(callUs), unit: 'us' },
    { name: 'denied', value: [...denied][0] ?? 0, unit: 'tools' },
  ]
}

/** The whole view as the gateway makes it, its tools by id among it. */
function timeView(policy: Policy, tools: readonly Tool[]): number {
  const snapshot = {
    revision: 'r',
    tools,
    byId: new Map(tools.map((tool) => [tool.id, tool])),
    byName: Map.groupBy(tools, (tool) => tool.name),
  }
  const catalog = { snapshot: () => snapshot, statuses: () => [], quarantined: () => [] }
  const views = createViewCache({ catalog, index: createSearchIndex(), policy })
  const start = cpuMs()
  views.viewFor(CALLER)
  return cpuMs() - start
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

function mean(values: readonly number[]): number {
  const warm = values.slice(WARM_UP_ROUNDS)
  return warm.reduce((sum, value) => sum + value, 0) / warm.length
}
