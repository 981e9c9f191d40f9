import type { Command } from 'commander'
import type { CliDeps } from '../../cli-deps.ts'
import type { CreateFlags, RevokeFlags, TokenFlags } from './tokens-actions.ts'

export function addTokensCommand(cli: Command, deps: CliDeps): void {
  const tokens = cli
    .command('tokens')
    .description('the bearer tokens of this gateway')
    .addHelpText('after', '\nExample:\n  $ drawbridge tokens create bot --tenant acme --scopes chat,tools')
  const command = (usage: string, description: string, example: string): Command =>
    tokens
      .command(usage)
      .description(description)
      .option('--state-dir <folder>', 'state directory of the gateway (DRAWBRIDGE_STATE_DIR, else ~/.drawbridge)')
      .option('--config <file>', 'configuration file (DRAWBRIDGE_CONFIG); says where the store of a stopped gateway is')
      .option('--json', 'as JSON')
      .addHelpText('after', `\nExample:\n  $ ${example}`)

  command('create <name>', 'make a token and print it, this once', 'TOKEN=$(drawbridge tokens create bot)')
    .option('--tenant <tenant>', 'whose it is (default: "default")')
    .option('--scopes <list>', 'of chat, tools, approvals, admin; with commas (default: chat,tools)', listOf)
    .option('--agents <list>', 'agents that it may use, with commas (default: all)', listOf)
    .option('--channels <list>', 'chat channels that it speaks for: their senders are believed (default: none)', listOf)
    .option('--save', 'keep its plain text in the state directory, for "tokens show" and other commands')
    .action(async (name: string, flags: CreateFlags) => (await actions()).createToken({ name, flags, deps }))
  command('list', 'list tokens, revoked ones too', 'drawbridge tokens list').action(async (flags: TokenFlags) =>
    (await actions()).listTokens({ flags, deps }),
  )
  command('revoke <token>', 'end a token, by id or by name', 'drawbridge tokens revoke bot --tenant acme')
    .option('--tenant <tenant>', 'whose it is, where several have a token of this name')
    .action(async (token: string, flags: RevokeFlags) => (await actions()).revokeOne({ token, flags, deps }))
  command(
    'show [name]',
    'print the plain text of a token that is kept here: "chat" (default), "admin", or a saved one',
    'TOKEN=$(drawbridge tokens show)',
  ).action(async (name: string | undefined, flags: TokenFlags) =>
    (await actions()).showToken({ name: name ?? 'chat', flags, deps }),
  )
}

function actions() {
  return import('./tokens-actions.ts')
}

function listOf(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim())
}
