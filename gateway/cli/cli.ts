import { Command, CommanderError } from 'commander'
import type { CliDeps } from './cli-deps.ts'
import { CliFailure } from './cli-failure.ts'
import { addApprovalsCommand } from './commands/approvals/approvals-command.ts'
import { addAuditCommand } from './commands/audit/audit-command.ts'
import { addConfigCommands } from './commands/config/config-commands.ts'
import { addDoctorCommand } from './commands/doctor/doctor-command.ts'
import { addMcpServeCommand } from './commands/mcp/mcp-serve-command.ts'
import { addMcpCommand } from './commands/mcp/mcp-command.ts'
import { addExplainCommand } from './commands/tools/explain-command.ts'
import { addRunCommand } from './commands/runs/run-command.ts'
import { addRunsCommand } from './commands/runs/runs-command.ts'
import { addServeCommand } from './commands/serve-command.ts'
import { addTokensCommand } from './commands/tokens/tokens-command.ts'
import { addToolsCommands } from './commands/tools/tools-commands.ts'
import { addVersionCommand } from './commands/version-command.ts'
import { knownFailure } from './known-failure.ts'
import { harmless } from './output.ts'

/** Runs one command line (without the program's own name) and gives the exit code: 0, 1 or 2. */
export async function runCli(argv: readonly string[], deps: CliDeps): Promise<number> {
  let exitCode = 0
  const isJson = wantsJson(argv)
  const cli = createCli({
    ...deps,
    // Said below, as what reads JSON can read it.
    usage: isJson ? () => {} : deps.stderr,
    serve: async (options) => (exitCode = await deps.serve(options)),
    serveStdio: async (options) => (exitCode = await deps.serveStdio(options)),
  })
  try {
    await cli.parseAsync([...argv], { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0
      if (isJson) report(new CliFailure(2, usageMessage(error)), { deps, isJson })
      return 2
    }
    const failure = knownFailure(error)
    if (failure === undefined) throw error
    report(failure, { deps, isJson })
    return failure.exitCode
  }
}

/** What follows `--` belongs to the command of a server. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end === -1 ? undefined : end).includes('--json')
}

/** Commander's own words in the form of ours. */
function usageMessage({ message }: CommanderError): string {
  return message.replace(/^error: /, '').replaceAll('\n', ' ')
}

function createCli(deps: CliDeps & { readonly usage: CliDeps['stderr'] }): Command {
  const cli = new Command('drawbridge')
    .description('A sandboxed tool-bridge gateway: one small tool in front of thousands.')
    .version(deps.version, '-V, --version', 'print the version')
    .exitOverride()
    .configureOutput({ writeOut: deps.stdout, writeErr: deps.usage, getOutHasColors: () => deps.isTerminal })
    .configureHelp({ showGlobalOptions: false })
    .showSuggestionAfterError()
    .showHelpAfterError('(add --help for how to use it)')
    .addHelpText('after', '\nExample:\n  $ drawbridge serve\n  $ drawbridge tools search "create an invoice"')
  for (const add of [
    addServeCommand,
    addMcpServeCommand,
    addConfigCommands,
    addToolsCommands,
    addExplainCommand,
    addRunCommand,
    addRunsCommand,
    addMcpCommand,
    addTokensCommand,
    addApprovalsCommand,
    addAuditCommand,
    addDoctorCommand,
    addVersionCommand,
  ])
    add(cli, deps)
  return cli
}

function report(failure: CliFailure, { deps, isJson }: { readonly deps: CliDeps; readonly isJson: boolean }): void {
  const { message, details } = failure
  deps.stderr(isJson ? `${JSON.stringify({ error: { message, ...details } })}\n` : `error: ${harmless(message)}\n`)
}
