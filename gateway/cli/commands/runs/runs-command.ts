import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import type { JsonObject } from '../../../../catalog/json.ts'
import type { CliDeps } from '../../cli-deps.ts'
import { CliFailure } from '../../cli-failure.ts'
import { createGatewayClient } from '../../gateway-client.ts'
import { createOutput } from '../../output.ts'
import { failureOf } from '../failed-answer.ts'
import type { GatewayFlags } from '../gateway-options.ts'
import { callerHeaders, withGatewayOptions } from '../gateway-options.ts'
import { readProgram } from './read-program.ts'

interface ReplayFlags extends GatewayFlags {
  readonly until?: number
  readonly edit?: string
}

export function addRunsCommand(cli: Command, deps: CliDeps): void {
  const runs = cli
    .command('runs')
    .description('programs that have run')
    .addHelpText('after', '\nExample:\n  $ drawbridge runs show run_5f0c…')
  withGatewayOptions(runs.command('show <id>').description('print the record of a run as JSON'))
    .addHelpText('after', '\nExample:\n  $ drawbridge runs show run_5f0c…')
    .action((id: string, flags: GatewayFlags) => showRun(id, { flags, deps }))
  withGatewayOptions(
    runs.command('replay <id>').description('run it again from its record: the same answers, no tool is called'),
  )
    .option('--until <n>', 'stop after this many answers and show the log so far', parseCount)
    .option('--edit <file>', 'run this program on the recorded answers, and say where it diverges')
    .addHelpText('after', '\nExample:\n  $ drawbridge runs replay run_5f0c… --until 3')
    .action((id: string, flags: ReplayFlags) => replayRun(id, { flags, deps }))
}

interface Asked<Flags> {
  readonly flags: Flags
  readonly deps: CliDeps
}

async function showRun(id: string, { flags, deps }: Asked<GatewayFlags>): Promise<void> {
  const client = createGatewayClient(flags.stateDir, deps)
  const path = `/v1/runs/${encodeURIComponent(id)}`
  const answer = await client.request({ method: 'GET', path, headers: callerHeaders(flags) })
  if (answer.status !== 200) throw failureOf(answer)
  print(answer.body, { flags, deps })
}

async function replayRun(id: string, { flags, deps }: Asked<ReplayFlags>): Promise<void> {
  const code = flags.edit === undefined ? undefined : await readProgram(flags.edit, deps)
  const client = createGatewayClient(flags.stateDir, deps)
  const answer = await client.request({
    method: 'POST',
    path: `/v1/runs/${encodeURIComponent(id)}/replay`,
    headers: callerHeaders(flags),
    body: { ...(flags.until !== undefined && { until: flags.until }), ...(code !== undefined && { code }) },
  })
  if (answer.status !== 200) throw failureOf(answer)
  print(answer.body, { flags, deps })
  const error = answer.body['error']
  if (typeof error === 'object' && error !== null && 'code' in error && error['code'] === 'replay-diverged') {
    throw new CliFailure(1, `the program diverged from the record of ${id}`, { error })
  }
}

function print(body: JsonObject, { flags, deps }: Asked<GatewayFlags>): void {
  const output = createOutput(deps)
  if (flags.json) output.json(body)
  else output.line(JSON.stringify(body, null, 2))
}

function parseCount(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('expected a whole number')
}
