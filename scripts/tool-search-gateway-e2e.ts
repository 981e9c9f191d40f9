// `npm run compare`: direct against every other mode, end to end, against a mock provider.
import { parseArgs } from 'node:util'
import { TOOLS_MAX_COUNT } from './compare/catalog-plugin.ts'
import { compare } from './compare/compare.ts'
import { formatTable } from './compare/format-table.ts'
import { leaveOnSignal } from './hosting/leave-on-signal.ts'

const TOOLS_DEFAULT_COUNT = 36

const USAGE = `npm run compare -- [--tools N] [--json]
  --tools N  tools of the catalog, 2 to ${TOOLS_MAX_COUNT} (default ${TOOLS_DEFAULT_COUNT})
  --json     one JSON object instead of the table
Exits 1 unless every mode called the same tool with the same result and the search modes sent less than direct.`

leaveOnSignal()
try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  progress(`FAILED ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}

async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args)
  if (options.kind === 'help') {
    process.stdout.write(`${USAGE}\n`)
    return 0
  }
  if (options.kind === 'wrong') {
    process.stderr.write(`compare: ${options.reason}\n${USAGE}\n`)
    return 2
  }
  return await report(options)
}

async function report(options: { readonly tools: number; readonly json: boolean }): Promise<number> {
  const { comparison, faults } = await compare({ tools: options.tools, progress })
  process.stdout.write(`${options.json ? JSON.stringify(comparison) : formatTable(comparison)}\n`)
  for (const fault of faults) progress(`FAILED ${fault}`)
  return faults.length === 0 ? 0 : 1
}

function progress(message: string): void {
  process.stderr.write(`compare: ${message}\n`)
}

type Options =
  | { readonly kind: 'run'; readonly tools: number; readonly json: boolean }
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly reason: string }

function readOptions(args: readonly string[]): Options {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { tools: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    })
    if (values.help === true) return { kind: 'help' }
    const tools = Number(values.tools ?? TOOLS_DEFAULT_COUNT)
    if (Number.isInteger(tools) && tools >= 2 && tools <= TOOLS_MAX_COUNT) {
      return { kind: 'run', tools, json: values.json ?? false }
    }
    return {
      kind: 'wrong',
      reason: `--tools is "${values.tools ?? ''}", not a whole number from 2 to ${TOOLS_MAX_COUNT}`,
    }
  } catch (error) {
    return { kind: 'wrong', reason: error instanceof Error ? error.message : String(error) }
  }
}
