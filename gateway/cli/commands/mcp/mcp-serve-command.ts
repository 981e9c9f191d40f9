import type { Command } from 'commander'
import { stateDirectoryPath } from '../../../state/state-directory-path.ts'
import type { CliDeps } from '../../cli-deps.ts'
import type { GatewayFlags } from '../gateway-options.ts'
import { callerHeaders, withGatewayOptions } from '../gateway-options.ts'

interface McpServeFlags extends GatewayFlags {
  readonly config?: string
}

export function addMcpServeCommand(cli: Command, deps: CliDeps): void {
  withGatewayOptions(cli.command('mcp-serve').description('serve an MCP client on stdin and stdout'))
    .option('--config <file>', 'configuration file, where the gateway is started by this command (DRAWBRIDGE_CONFIG)')
    .addHelpText(
      'after',
      '\nAsks the gateway that runs; where none does, starts one for as long as the client stays.\n\n' +
        'Example, for a client that starts its servers by a command:\n' +
        '  { "command": "npx", "args": ["-y", "drawbridge-gateway", "mcp-serve"] }',
    )
    .action(async (flags: McpServeFlags) => {
      await deps.serveStdio({
        stateDirectory: stateDirectoryPath(flags.stateDir, deps.env),
        headers: callerHeaders(flags),
        ...(flags.config !== undefined && { configFile: flags.config }),
      })
    })
}
