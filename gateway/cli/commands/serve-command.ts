import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import { stateDirectoryPath } from '../../state/state-directory-path.ts'
import type { CliDeps, ServeOptions } from '../cli-deps.ts'
import { CliFailure } from '../cli-failure.ts'

interface ServeFlags {
  readonly port?: number
  readonly host?: string
  readonly stateDir?: string
  readonly config?: string
  readonly token?: string
  readonly json?: boolean
}

export function addServeCommand(cli: Command, deps: CliDeps): void {
  cli
    .command('serve')
    .description('start the gateway')
    .option('--port <port>', 'port to listen on (DRAWBRIDGE_PORT)', parsePort)
    .option('--host <host>', 'address to listen on (DRAWBRIDGE_HOST)')
    .option('--state-dir <folder>', 'where state is kept (DRAWBRIDGE_STATE_DIR, else ~/.drawbridge)')
    .option('--config <file>', 'configuration file (DRAWBRIDGE_CONFIG)')
    .option('--token <token>', 'an admin token, instead of a generated one (DRAWBRIDGE_TOKEN)')
    .option('--json', 'one line of JSON when it listens, instead of the banner')
    .addHelpText('after', '\nExample:\n  $ drawbridge serve --port 9000 --state-dir ./state')
    .action(async (flags: ServeFlags) => {
      await deps.serve(serveOptions(flags, deps))
    })
}

function serveOptions(flags: ServeFlags, { env }: Pick<CliDeps, 'env'>): ServeOptions {
  const host = flags.host ?? (env['DRAWBRIDGE_HOST'] || undefined)
  const port = flags.port ?? portOfEnvironment(env['DRAWBRIDGE_PORT'])
  const token = flags.token ?? (env['DRAWBRIDGE_TOKEN'] || undefined)
  return {
    stateDirectory: stateDirectoryPath(flags.stateDir, env),
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
    ...(token !== undefined && { token }),
    ...(flags.json !== undefined && { json: flags.json }),
    ...(flags.config !== undefined && { configFile: flags.config }),
  }
}

function portOfEnvironment(text: string | undefined): number | undefined {
  if (!text) return undefined
  const port = readPort(text)
  if (port === undefined) throw new CliFailure(2, `DRAWBRIDGE_PORT is "${text}"; expected a port from 0 to 65535`)
  return port
}

function parsePort(text: string): number {
  const port = readPort(text)
  if (port === undefined) throw new InvalidArgumentError('expected a port from 0 to 65535')
  return port
}

function readPort(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  return port <= 65_535 ? port : undefined
}
