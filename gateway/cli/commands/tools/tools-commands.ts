import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import type { CliDeps } from '../../cli-deps.ts'
import type { GatewayFlags } from '../gateway-options.ts'
import { withGatewayOptions } from '../gateway-options.ts'
import type { SearchFlags } from './tools-actions.ts'

export function addToolsCommands(cli: Command, deps: CliDeps): void {
  const tools = cli
    .command('tools')
    .description('list, find and call the tools of the running gateway')
    .addHelpText('after', '\nExample:\n  $ drawbridge tools search "create an invoice"')

  withGatewayOptions(tools.command('list').description('list every tool that the agent may see'))
    .addHelpText('after', '\nExample:\n  $ drawbridge tools list --agent default')
    .action(async (flags: GatewayFlags) => (await actions()).listTools({ flags, deps }))

  withGatewayOptions(tools.command('search <query...>').description('find tools by what they do'))
    .option('--limit <number>', 'most hits', parseLimit)
    .option('--explain', 'say why each was found')
    .addHelpText('after', '\nExample:\n  $ drawbridge tools search "send mail" --limit 3')
    .action(async (query: readonly string[], flags: SearchFlags) =>
      (await actions()).searchTools({ query: query.join(' '), flags, deps }),
    )

  withGatewayOptions(
    tools.command('call <tool> [arguments]').description('call a tool by id, or by a name that is unique'),
  )
    .addHelpText(
      'after',
      `\nArguments are JSON5; - reads them from stdin.\n\nExample:\n  $ drawbridge tools call plugin:demo:get_person "{ id: 'per-2' }"`,
    )
    .action(async (tool: string, args: string | undefined, flags: GatewayFlags) =>
      (await actions()).callTool({ tool, args, flags, deps }),
    )
}

function actions() {
  return import('./tools-actions.ts')
}

function parseLimit(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('expected a whole number from 1 on')
}
