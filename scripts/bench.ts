import { parseArgs } from 'node:util'
import type { Figure } from './bench/figure.ts'
import { leaveOnSignal } from './hosting/leave-on-signal.ts'
import { tellUsage } from './hosting/usage-error.ts'

/** An area measures itself and hands each figure over as soon as it stands. */
type Bench = (args: readonly string[], print: (figure: Figure) => void) => Promise<void>

const AREAS: Readonly<Record<string, () => Promise<{ readonly bench: Bench }>>> = {
  run: () => import('./bench/run.ts'),
  search: () => import('./bench/search.ts'),
  gateway: () => import('./bench/gateway.ts'),
  policy: () => import('./bench/policy.ts'),
  mcp: () => import('./bench/mcp.ts'),
  peers: () => import('./bench/peers.ts'),
  screening: () => import('./bench/screening.ts'),
}

const USAGE = `npm run bench -- <area> [--json] [options of the area]

Areas: ${Object.keys(AREAS).join(', ')}
--json prints one JSON object a line; progress goes to stderr.
`

leaveOnSignal()
const [area = '', ...rest] = process.argv.slice(2)
const load = AREAS[area]
if (load === undefined) {
  process.stderr.write(area === '' || area === '--help' ? USAGE : `there is no bench area "${area}"\n\n${USAGE}`)
  process.exitCode = area === '--help' ? 0 : 2
} else {
  const { values } = parseArgs({
    args: rest,
    options: { json: { type: 'boolean' } },
    strict: false,
    allowPositionals: true,
  })
  const { bench } = await load()
  await bench(
    rest.filter((arg) => arg !== '--json'),
    values.json === true ? printJson : printLine,
  ).catch((error: unknown) => tellUsage(error, `bench ${area}`))
}

function printJson(figure: Figure): void {
  process.stdout.write(`${JSON.stringify(figure)}\n`)
}

/** `p50  1.234 ms  engine=drawbridge program=search-describe-call`. */
function printLine({ area: _area, name, value, unit, ...under }: Figure): void {
  const shown = Number.isInteger(value) ? String(value) : value.toPrecision(4)
  const conditions = Object.entries(under).map(([key, setting]) => `${key}=${String(setting)}`)
  process.stdout.write(`${name.padEnd(24)} ${shown.padStart(10)} ${unit.padEnd(8)} ${conditions.join(' ')}\n`)
}
