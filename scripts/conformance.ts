import { parseArgs } from 'node:util'
import { readRequirements } from './conformance/suite.ts'
import type { Verdict } from './conformance/verdict.ts'
import { leaveOnSignal } from './hosting/leave-on-signal.ts'
import { tellUsage, UsageError } from './hosting/usage-error.ts'

const USAGE = `npm run conformance -- [--requirements REVISION …] [--side server|client|through …] [--all] [--json]

Runs the official MCP conformance suite. --all shows what the suite runs without counting it, too. --json prints one JSON object a scenario; progress goes to stderr.
Ends with 1 where a scenario failed that the revision counts.
`
const REVISIONS = ['2025-11-25', '2026-07-28']
const SIDES: readonly string[] = ['server', 'client', 'through']

leaveOnSignal()
const values = readArguments()

if (values.help === true) process.stdout.write(USAGE)
else {
  await run().then(
    (isPassed) => void (process.exitCode = isPassed ? 0 : 1),
    (error: unknown) => tellUsage(error, 'conformance'),
  )
}

function readArguments() {
  const options = {
    requirements: { type: 'string', multiple: true },
    side: { type: 'string', multiple: true },
    all: { type: 'boolean' },
    json: { type: 'boolean' },
    help: { type: 'boolean' },
  } as const
  try {
    return parseArgs({ options }).values
  } catch (error) {
    tellUsage(error, 'conformance')
    process.exit()
  }
}

async function run(): Promise<boolean> {
  const unknownRevision = values.requirements?.find((revision) => !REVISIONS.includes(revision))
  if (unknownRevision !== undefined) {
    throw new UsageError(`there are no requirements "${unknownRevision}"; there are ${REVISIONS.join(', ')}`)
  }
  const asked = values.side ?? SIDES
  const unknown = asked.find((name) => !SIDES.includes(name))
  if (unknown !== undefined) throw new UsageError(`there is no side "${unknown}"; there are ${SIDES.join(', ')}`)
  const revisions = await Promise.all((values.requirements ?? REVISIONS).map(readRequirements))
  // The gateway and the libraries of both sides: what was asked wrongly is told without them.
  const { runSides } = await import('./conformance/run-side.ts')
  const { startGrounds } = await import('./conformance/start-grounds.ts')
  const grounds = await startGrounds()
  try {
    const sides = grounds.sides.filter(({ side }) => asked.includes(side))
    process.stderr.write(`${sides.map(({ side }) => side).join(', ')} by ${revisions.length} revisions …\n`)
    return await runSides(sides, revisions, print)
  } finally {
    await grounds.close()
  }
}

function print(verdict: Verdict): void {
  if (!verdict.scored && values.all !== true) return
  if (values.json === true) printJson(verdict)
  else printLine(verdict)
}

function printJson(verdict: Verdict): void {
  process.stdout.write(`${JSON.stringify(verdict)}\n`)
}

function printLine({ side, requirements, scenario, pass, scored, reason, faults = [] }: Verdict): void {
  const mark = pass ? 'pass' : 'FAIL'
  const note = scored ? '' : `  (not counted: ${reason})`
  process.stdout.write(`${mark}  ${side.padEnd(8)} ${requirements}  ${scenario}${note}\n`)
  if (scored) for (const fault of faults) process.stdout.write(`      ${fault}\n`)
}
