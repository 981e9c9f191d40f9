import type { Command } from 'commander'
import type { CliDeps } from '../../cli-deps.ts'
import type { GatewayFlags } from '../gateway-options.ts'
import { withGatewayOptions } from '../gateway-options.ts'

export function addRunCommand(cli: Command, deps: CliDeps): void {
  withGatewayOptions(cli.command('run <file>').description('run a program in the sandbox of the running gateway'))
    .addHelpText(
      'after',
      '\nThe file - is stdin.\n\nExample:\n  $ echo "return await tools.search(\'invoice\')" | drawbridge run -',
    )
    .action(async (file: string, flags: GatewayFlags) =>
      (await import('./run-action.ts')).runProgram({ file, flags, deps }),
    )
}
