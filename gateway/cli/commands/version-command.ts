import type { Command } from 'commander'
import type { CliDeps } from '../cli-deps.ts'
import { createOutput } from '../output.ts'

export function addVersionCommand(cli: Command, deps: CliDeps): void {
  cli
    .command('version')
    .description('print the version')
    .option('--json', 'as JSON, with that of Node')
    .addHelpText('after', '\nExample:\n  $ drawbridge version --json')
    .action((options: { readonly json?: true }) => {
      const output = createOutput(deps)
      if (options.json) output.json({ version: deps.version, node: process.versions.node })
      else output.line(deps.version)
    })
}
