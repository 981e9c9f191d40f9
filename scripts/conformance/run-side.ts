import type { Leg, Requirements, SuiteRun } from './suite.ts'
import { runSuite } from './suite.ts'
import type { Verdict } from './verdict.ts'
import { judge } from './verdict.ts'

export interface Side {
  readonly side: Verdict['side']
  readonly leg: Leg
  readonly target: SuiteRun['target']
  readonly env?: SuiteRun['env']
}

/** All that a revision asks of one side; what counts and failed is run again, alone. */
export async function runSide(
  { side, leg, target, env }: Side,
  requirements: Requirements,
  print: (verdict: Verdict) => void,
): Promise<boolean> {
  const { revision } = requirements
  const common = { leg, revision, target, ...(env && { env }) }
  const found = await runSuite(common)
  let isGood = true
  for (const required of requirements[leg]) {
    const { scenario } = required
    const first = judge(found.get(scenario) ?? [], required, { revision, side })
    const verdict = first.pass || !first.scored ? first : await again()
    if (verdict.scored && !verdict.pass) isGood = false
    print(verdict)

    async function again(): Promise<Verdict> {
      const alone = await runSuite({ ...common, scenario })
      return { ...judge(alone.get(scenario) ?? [], required, { revision, side }), attempts: 2 }
    }
  }
  return isGood
}
