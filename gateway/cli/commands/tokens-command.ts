import type { Command } from 'commander'
import { stateDirectoryPath } from '../../state/state-directory-path.ts'
import { readTokenFile, tokenFile } from '../../state/token-file.ts'
import type { CliDeps } from '../cli-deps.ts'
import { CliFailure } from '../cli-failure.ts'
import { createOutput } from '../output.ts'

interface ShowFlags {
  readonly stateDir?: string
  readonly json?: true
}

export function addTokensCommand(cli: Command, deps: CliDeps): void {
  const tokens = cli.command('tokens').description('the bearer tokens of this gateway')
  tokens
    .command('show [name]')
    .description('print the plain text of a token that the first start made: "chat" (default) or "admin"')
    .option('--state-dir <folder>', 'state directory of the gateway (DRAWBRIDGE_STATE_DIR, else ~/.drawbridge)')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  $ TOKEN=$(drawbridge tokens show)')
    .action((name: string | undefined, flags: ShowFlags) => showToken(name ?? 'chat', flags, deps))
}

async function showToken(name: string, flags: ShowFlags, deps: CliDeps): Promise<void> {
  const folder = stateDirectoryPath(flags.stateDir, deps.env)
  const tokens = await readTokenFile(folder)
  const token = Object.hasOwn(tokens, name) ? tokens[name] : undefined
  if (token === undefined) {
    const known = Object.keys(tokens)
    const found = known.length === 0 ? 'it holds none; start the gateway once' : `it holds ${known.join(', ')}`
    throw new CliFailure(1, `there is no token "${name}" in "${tokenFile(folder)}"; ${found}`)
  }
  const output = createOutput(deps)
  if (flags.json) output.json({ name, token })
  else output.line(token)
}
