import type { Command } from 'commander'
import { Argument, InvalidArgumentError } from 'commander'
import type { JsonObject } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { DECISIONS } from '../../approvals/decision.ts'
import type { CliDeps } from '../cli-deps.ts'
import type { ApprovalFlags, PendingFlags, ResolveFlags } from './approvals-actions.ts'
import { readValue } from './read-value.ts'

export function addApprovalsCommand(cli: Command, deps: CliDeps): void {
  const approvals = cli
    .command('approvals')
    .description('calls that wait for a person to allow them')
    .addHelpText(
      'after',
      '\nExample:\n  $ drawbridge approvals pending\n  $ drawbridge approvals resolve apr_5f0c… allow-once',
    )
  withFlags(approvals.command('pending').description('what waits, the last asked first'))
    .option('--run <id>', 'of this run alone')
    .addHelpText('after', '\nExample:\n  $ drawbridge approvals pending --json')
    .action(async (flags: PendingFlags) => (await actions()).listPending({ flags, deps }))
  withFlags(approvals.command('show <id>').description('everything about one, decided or not'))
    .addHelpText('after', '\nExample:\n  $ drawbridge approvals show apr_5f0c…')
    .action(async (id: string, flags: ApprovalFlags) => (await actions()).showApproval({ id, flags, deps }))
  withFlags(
    approvals.command('resolve').description('decide one, or all that waits in one run; the first answer counts'),
  )
    .argument('<id>', 'an approval (apr_…), or a run (run_…)')
    .addArgument(new Argument('<decision>', 'what may happen').choices([...DECISIONS]))
    .option('--reason <text>', 'told to who asked, and kept')
    .option('--until <time>', 'with allow-always: when the grant ends, e.g. 2027-01-31T12:00:00Z')
    .option('--args <schema>', 'with allow-always: JSON Schema that the arguments of further calls match', parseSchema)
    .addHelpText(
      'after',
      `
allow-once lets this call run; allow-always also lets further calls of the tool by the same agent run, until its grant is
revoked or the tool's schema changes. Exit code 1 where it was decided otherwise before.

Example:
  $ drawbridge approvals resolve apr_5f0c… allow-once --reason "agreed with Ada"
  $ drawbridge approvals resolve apr_5f0c… allow-always --args '{ properties: { amount_cents: { maximum: 5000 } } }'`,
    )
    .action(async (id: string, decision: string, flags: ResolveFlags) =>
      (await actions()).resolve({ id, decision, flags, deps }),
    )
  addGrantsCommand(approvals, deps)
}

function addGrantsCommand(approvals: Command, deps: CliDeps): void {
  const grants = approvals
    .command('grants')
    .description('what was always allowed')
    .addHelpText('after', '\nExample:\n  $ drawbridge approvals grants list')
  withFlags(grants.command('list').description('grants, ended ones too'))
    .addHelpText('after', '\nExample:\n  $ drawbridge approvals grants list --json')
    .action(async (flags: ApprovalFlags) => (await import('./approvals-grants.ts')).listGrants({ flags, deps }))
  withFlags(grants.command('revoke <id>').description('end one: the next call is asked about again'))
    .addHelpText('after', '\nExample:\n  $ drawbridge approvals grants revoke gr_5f0c…')
    .action(async (id: string, flags: ApprovalFlags) =>
      (await import('./approvals-grants.ts')).revokeGrant({ id, flags, deps }),
    )
}

function withFlags(command: Command): Command {
  return command
    .option('--state-dir <folder>', 'state directory of the gateway (DRAWBRIDGE_STATE_DIR, else ~/.drawbridge)')
    .option('--json', 'as JSON')
}

function actions() {
  return import('./approvals-actions.ts')
}

function parseSchema(text: string): JsonObject {
  const read = readValue(text, { isStrict: false })
  if (read.kind === 'value' && isJsonObject(read.value)) return read.value
  throw new InvalidArgumentError(read.kind === 'invalid' ? read.message : 'expected a JSON Schema as an object')
}
