import type { Command } from 'commander'
import type { CliDeps } from '../../cli-deps.ts'
import type { PatchFlags, SetFlags } from './config-edits.ts'
import type { ConfigFlags, EditFlags } from './config-flags.ts'

/** The actions are loaded when one is used: they bring the whole schema with them. */
export function addConfigCommands(cli: Command, deps: CliDeps): void {
  const config = cli
    .command('config')
    .description('read, edit and check drawbridge.json5')
    .addHelpText('after', '\nExample:\n  $ drawbridge config set tools.toolSearch true')
  const command = (usage: string, description: string, example: string): Command =>
    config
      .command(usage)
      .description(description)
      .option('--config <file>', 'configuration file (DRAWBRIDGE_CONFIG)')
      .option('--state-dir <folder>', 'state directory (DRAWBRIDGE_STATE_DIR, else ~/.drawbridge)')
      .option('--json', 'as JSON')
      .addHelpText('after', `\nExample:\n  $ drawbridge config ${example}`)

  command('get [path]', 'print a value of the file, or its default; secrets are masked', 'get tools.toolSearch').action(
    async (path: string | undefined, flags: ConfigFlags) => (await actions()).getConfig({ path, flags, deps }),
  )
  command('set <path> <value>', 'set a value: JSON5, else the plain text', `set mcp.servers.files "{ command: 'npx' }"`)
    .option('--strict-json', 'the value must be JSON')
    .option('--merge', 'merge an object into what is there; null takes away')
    .option('--replace', 'mean the value as a whole, also where it drops servers, providers, agents or plugins')
    .option('--dry-run', 'check everything, write nothing')
    .option('--expect-current-json <value>', 'only where this stands there now')
    .option('--expect-current-absent', 'only where nothing stands there now')
    .action(async (path: string, value: string, flags: SetFlags) =>
      (await edits()).setConfig({ path, value, flags, deps }),
    )
  command(
    'patch <object>',
    'merge an object into the file; null takes away, - reads stdin',
    'patch "{ tools: { deny: null } }"',
  )
    .option('--strict-json', 'the object must be JSON')
    .option('--dry-run', 'check everything, write nothing')
    .action(async (patch: string, flags: PatchFlags) => (await edits()).patchConfig({ patch, flags, deps }))
  command('unset <path>', 'take a value away', 'unset gateway.port')
    .option('--dry-run', 'check everything, write nothing')
    .option('--expect-current-json <value>', 'only where this stands there now')
    .action(async (path: string, flags: EditFlags) => (await edits()).unsetConfig({ path, flags, deps }))
  command('validate', 'check the whole file', 'validate --json').action(async (flags: ConfigFlags) =>
    (await actions()).validateConfig({ flags, deps }),
  )
  command('schema', 'print the JSON Schema of the file', 'schema > drawbridge.schema.json').action(async () =>
    (await actions()).printSchema({ deps }),
  )
  command('file', 'print where the file is, or would be made', 'file').action(async (flags: ConfigFlags) =>
    (await actions()).printFile({ flags, deps }),
  )
}

function actions() {
  return import('./config-actions.ts')
}

function edits() {
  return import('./config-edits.ts')
}
