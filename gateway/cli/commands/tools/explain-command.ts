import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import type { CliDeps } from '../../cli-deps.ts'
import type { ExplainFlags } from './explain-action.ts'
import { withGatewayOptions } from '../gateway-options.ts'

export function addExplainCommand(cli: Command, deps: CliDeps): void {
  withGatewayOptions(
    cli
      .command('explain [tool]')
      .description('say how a tool, or every tool, stands for a caller, and why: for operators'),
  )
    .option('--all', 'every registered tool')
    .option('--channel <name>', 'as a message of this channel', parseText)
    .option('--sender <id>', 'as a message of this sender', parseText)
    .option('--sender-name <name>', 'as a message of a sender of this name', parseText)
    .option('--vouched', "as the channel's own token brings it: channel and sender are believed")
    .option('--parent-agent <name>', 'as a child agent of this one', parseText)
    .option('--provider <name>', "with this provider, or provider/model, in the place of the agent's own", parseText)
    .addHelpText(
      'after',
      '\nExample:\n  $ drawbridge explain plugin:demo:refund_payment --agent support --channel slack\n  $ drawbridge explain --all',
    )
    .action(async (tool: string | undefined, flags: ExplainFlags) => {
      const { explain } = await import('./explain-action.ts')
      await explain({ tool, flags, deps })
    })
}

function parseText(text: string): string {
  if (/^[\x21-\x7e]{1,256}$/.test(text)) return text
  throw new InvalidArgumentError('expected up to 256 printable characters without spaces')
}
