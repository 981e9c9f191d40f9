import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import type { CliDeps } from '../../cli-deps.ts'
import type { ConfigFlags } from '../config/config-flags.ts'
import { addAcceptCommand } from './mcp-accept-command.ts'
import type { AddFlags } from './mcp-add.ts'
import type { ImportFlags } from './mcp-import.ts'
import type { LoginFlags } from './mcp-login.ts'
import type { TestFlags } from './mcp-test.ts'

/** The actions are loaded when one is used: they bring the MCP client with them. */
export function addMcpCommand(cli: Command, deps: CliDeps): void {
  const mcp = cli
    .command('mcp')
    .description('the MCP servers behind this gateway')
    .addHelpText('after', '\nExample:\n  $ drawbridge mcp import .mcp.json')
  const command = (usage: string, description: string, example: string): Command =>
    mcp
      .command(usage)
      .description(description)
      .option('--config <file>', 'configuration file (DRAWBRIDGE_CONFIG)')
      .option('--state-dir <folder>', 'state directory (DRAWBRIDGE_STATE_DIR, else ~/.drawbridge)')
      .option('--json', 'as JSON')
      .addHelpText('after', `\nExample:\n  $ drawbridge mcp ${example}`)
  addFileCommands(command, deps)
  command('list', 'list the servers, and how they stand where a gateway runs', 'list').action(
    async (flags: ConfigFlags) => (await import('./mcp-list.ts')).listServers({ flags, deps }),
  )
  command('test <server>', 'connect to a server as the gateway would, and list its tools', 'test files')
    .option('--timeout <ms>', 'longest wait, in milliseconds', numberOf)
    .action(async (name: string, flags: TestFlags) => (await import('./mcp-test.ts')).testServer({ name, flags, deps }))
  addLoginCommands(command, deps)
  addAcceptCommand(mcp, deps)
}

type MakeCommand = (usage: string, description: string, example: string) => Command

function addFileCommands(command: MakeCommand, deps: CliDeps): void {
  command(
    'add <server> <command-or-url...>',
    'add a server: its address, or after -- the command that starts it',
    'add files -- npx -y @modelcontextprotocol/server-filesystem .',
  )
    .option('-e, --env <NAME=value>', 'variable of its environment; again for each', collect, [])
    .option('-H, --header <name: value>', 'header of each request; again for each', collect, [])
    .option('--cwd <folder>', 'working directory of the command')
    .option('-t, --transport <kind>', 'as other programs want it said; here it is found out in any case')
    .option('--replace', 'put it in the place of one with this name')
    .option('--dry-run', 'check everything, write nothing')
    .action(async (name: string, words: readonly string[], flags: AddFlags) =>
      (await import('./mcp-add.ts')).addServer({ name, words, flags, deps }),
    )
  command(
    'import <file>',
    'take over the servers of a .mcp.json, Claude Desktop, Cursor or VS Code file',
    'import .vscode/mcp.json --dry-run',
  )
    .option('--only <names>', 'these servers alone, with commas', listOf)
    .option('--replace', 'also where a server of this name is configured already')
    .option('--dry-run', 'check everything, write nothing')
    .action(async (file: string, flags: ImportFlags) =>
      (await import('./mcp-import.ts')).importServers({ file, flags, deps }),
    )
  command('remove <server>', 'take a server out of the configuration, and forget its login', 'remove files').action(
    async (name: string, flags: ConfigFlags) => (await import('./mcp-remove.ts')).removeServer({ name, flags, deps }),
  )
}

function addLoginCommands(command: MakeCommand, deps: CliDeps): void {
  command('login <server>', 'log in at a server, in a browser', 'login calendar')
    .option('--no-browser', 'only print the address; paste what the browser ends at where it is on another machine')
    .option('--scope <scope>', 'what to ask for, instead of what the server names')
    .option('--port <port>', 'port of the redirect address', numberOf)
    .action(async (name: string, flags: LoginFlags) => (await import('./mcp-login.ts')).logIn({ name, flags, deps }))
  command('logout <server>', 'forget the login at a server, and end it there', 'logout calendar').action(
    async (name: string, flags: ConfigFlags) => (await import('./mcp-logout.ts')).logOut({ name, flags, deps }),
  )
  command(
    'client-metadata <url>',
    'print the client-id metadata document to publish at an address',
    'client-metadata https://example.com/drawbridge.json',
  ).action(async (url: string) => (await import('./mcp-client-metadata.ts')).printClientMetadata({ url, deps }))
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}

function listOf(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim())
}

function numberOf(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value > 0) return value
  throw new InvalidArgumentError('expected a whole number above 0')
}
