import type { Command } from 'commander'
import type { CliDeps } from '../../cli-deps.ts'
import type { AcceptFlags } from './mcp-accept.ts'

export function addAcceptCommand(mcp: Command, deps: CliDeps): void {
  mcp
    .command('accept <server> [tool]')
    .description('look at tools that changed since they were pinned, and let them through')
    .option('--all', 'let all of them through as they are shown')
    .option('--hash <hash>', 'only what was shown with this hash; anything else is refused')
    .option('--state-dir <folder>', 'state directory (DRAWBRIDGE_STATE_DIR, else ~/.drawbridge)')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      '\nWithout a tool it only shows them, each with its hash. A server may change again after you have looked:\n--hash lets through what you have seen and nothing else.\n\nExample:\n  $ drawbridge mcp accept files\n  $ drawbridge mcp accept files read_file --hash 4f0c…',
    )
    .action(async (server: string, tool: string | undefined, flags: AcceptFlags) =>
      (await import('./mcp-accept.ts')).acceptTools({ server, tool, flags, deps }),
    )
}
