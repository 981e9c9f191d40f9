import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import type { ChainEnd } from '../../../store/receipt-chain.ts'
import type { CliDeps } from '../../cli-deps.ts'
import type { AuditFlags, TailFlags, VerifyFlags } from './audit-actions.ts'

export function addAuditCommand(cli: Command, deps: CliDeps): void {
  const audit = cli
    .command('audit')
    .description('receipts of every call, chained so that a removed or changed one shows')
    .addHelpText('after', '\nExample:\n  $ drawbridge audit verify')
  const command = (usage: string, description: string, example: string): Command =>
    audit
      .command(usage)
      .description(description)
      .option('--state-dir <folder>', 'state directory of the gateway (DRAWBRIDGE_STATE_DIR, else ~/.drawbridge)')
      .option('--config <file>', 'configuration file (DRAWBRIDGE_CONFIG); says where the store of a stopped gateway is')
      .option('--json', 'as JSON')
      .addHelpText('after', `\nExample:\n  $ drawbridge audit ${example}`)

  command('verify', 'check the chain of every tenant from its start', 'verify --tenant default')
    .option('--tenant <tenant>', 'only this one')
    .option('--anchor <place:hash>', 'an end that was noted earlier (needs --tenant)', parseAnchor)
    .action(async (flags: VerifyFlags) => (await actions()).verify({ flags, deps }))
  command('tail', 'print the last receipts of a tenant', 'tail --last 50')
    .option('--tenant <tenant>', 'of this one (default: "default")')
    .option('--last <number>', 'how many (default: 20)', parseCount)
    .action(async (flags: TailFlags) => (await actions()).tail({ flags, deps }))
  command('export', 'print all receipts of a tenant with their hashes, a line of JSON each', 'export > receipts.jsonl')
    .option('--tenant <tenant>', 'of this one (default: "default")')
    .action(async (flags: AuditFlags) => (await actions()).exportReceipts({ flags, deps }))
}

function actions() {
  return import('./audit-actions.ts')
}

function parseCount(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('expected a whole number from 1 to 9999')
}

function parseAnchor(text: string): ChainEnd {
  const match = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text)
  const [, seq, hash] = match ?? []
  if (seq !== undefined && hash !== undefined) return { seq: Number(seq), hash }
  throw new InvalidArgumentError('expected a place and its hash, as "audit verify" prints them')
}
