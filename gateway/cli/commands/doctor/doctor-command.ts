import type { Command } from 'commander'
import type { CliDeps } from '../../cli-deps.ts'
import type { DoctorFlags } from './doctor-action.ts'

export function addDoctorCommand(cli: Command, deps: CliDeps): void {
  cli
    .command('doctor')
    .description('check configuration, workers, store, servers, plugins, providers, port and files')
    .option('--config <file>', 'configuration file (DRAWBRIDGE_CONFIG)')
    .option('--state-dir <folder>', 'state directory (DRAWBRIDGE_STATE_DIR, else ~/.drawbridge)')
    .option('--fix', 'mend permissions, and remove what killed processes left')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      '\nEnds with 0 when all is well, 1 for warnings, 2 for problems.\n\nExample:\n  $ drawbridge doctor --fix',
    )
    .action(async (flags: DoctorFlags) => (await import('./doctor-action.ts')).doctor({ flags, deps }))
}
