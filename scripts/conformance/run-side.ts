import { mapBounded } from '../../gateway/turn/steps/map-bounded.ts'
import type { Check, Leg, RequiredScenario, Requirements, SuiteRun } from './suite.ts'
import { runSuite } from './suite.ts'
import type { Verdict } from './verdict.ts'
import { judge } from './verdict.ts'

/** One way in which the suite meets Drawbridge. */
export interface Side {
  readonly side: Verdict['side']
  readonly leg: Leg
  /** A scenario passes where it does at each that it is for. */
  readonly grounds: readonly Ground[]
}

export interface Ground {
  readonly target: SuiteRun['target']
  /** All by default. */
  readonly isFor?: (scenario: string) => boolean
}

/** Sets that run side by side: they wait more than they work. */
const SETS_AT_ONCE = 2

/** All that the revisions ask of all sides; what counts and failed beside others is run again, alone. */
export async function runSides(
  sides: readonly Side[],
  revisions: readonly Requirements[],
  print: (verdict: Verdict) => void,
): Promise<boolean> {
  const sets = sides.flatMap((side) =>
    revisions.flatMap((requirements) => side.grounds.map((ground) => ({ side, requirements, ground }))),
  )
  const found = await mapBounded(sets, SETS_AT_ONCE, async (set) => ({ ...set, checks: await runSuite(runOf(set)) }))
  let isGood = true
  for (const side of sides) {
    for (const requirements of revisions) {
      const own = found.filter((set) => set.side === side && set.requirements === requirements)
      for (const required of requirements[side.leg]) {
        const verdict = await judgeAll(required, own)
        if (verdict.scored && !verdict.pass) isGood = false
        print(verdict)
      }
    }
  }
  return isGood
}

interface SuiteSet {
  readonly side: Side
  readonly requirements: Requirements
  readonly ground: Ground
}

interface FoundSet extends SuiteSet {
  readonly checks: ReadonlyMap<string, readonly Check[]>
}

function runOf({ side, requirements, ground }: SuiteSet): SuiteRun {
  return { leg: side.leg, revision: requirements.revision, target: ground.target }
}

/** The first that does not pass, else that of the first ground. */
async function judgeAll(required: RequiredScenario, sets: readonly FoundSet[]): Promise<Verdict> {
  const own = sets.filter(({ ground }) => ground.isFor?.(required.scenario) ?? true)
  let verdict: Verdict | undefined
  for (const set of own) {
    const next = await judgeOne(required, set)
    if (verdict === undefined || !next.pass) verdict = next
    if (!next.pass) break
  }
  if (verdict === undefined) throw new Error(`nothing is there to run "${required.scenario}" against`)
  return verdict
}

async function judgeOne(required: RequiredScenario, set: FoundSet): Promise<Verdict> {
  const { scenario } = required
  const of = { revision: set.requirements.revision, side: set.side.side }
  const first = judge(set.checks.get(scenario) ?? [], required, of)
  if (first.pass || !first.scored) return first
  const alone = await runSuite({ ...runOf(set), scenario })
  return { ...judge(alone.get(scenario) ?? [], required, of), attempts: 2 }
}
