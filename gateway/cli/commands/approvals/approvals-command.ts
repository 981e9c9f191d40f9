import type { Command } from 'commander'
import { Argument, InvalidArgumentError } from 'commander'
import type { JsonObject } from '../../../../catalog/json.ts'
import { isJsonObject } from '../../../../catalog/json.ts'
import { DECISIONS } from '../../../approvals/decision.ts'
import type { CliDeps } from '../../cli-deps.ts'
import { CliFailure } from '../../cli-failure.ts'
import type { ApprovalFlags, PendingFlags, ResolveFlags } from './approvals-actions.ts'
import { readValue } from '../read-value.ts'

export function addApprovalsCommand(cli: Command, deps: CliDeps): void {
  const approvals = cli
    .command('approvals')
    .description('calls that wait for a person to allow them')
    .addHelpText(
      'after',
      '\nExample:\n  $ drawbridge approvals pending\n  $ drawbridge approvals resolve apr_5f0c… allow-once',
    )
  withFlags(approvals.command('pending').alias('list').description('what waits, the last asked first'))
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
    .option('--answer <values>', 'to a form: an object of its fields, as JSON', parseAnswer)
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
  addAnswerCommands(approvals, deps)
  addGrantsCommand(approvals, deps)
}

/** `resolve` in the words of who answers a question. */
function addAnswerCommands(approvals: Command, deps: CliDeps): void {
  withFlags(
    approvals.command('approve <id> [values...]').description('allow one; the values are those that it asks for'),
  )
    .option('--answer <values>', 'the values as one object, as JSON', parseAnswer)
    .option('--reason <text>', 'told to who asked, and kept')
    .addHelpText(
      'after',
      `
The same as "resolve <id> allow-once". A tool may ask for values while it runs; "show" lists its fields.

Example:
  $ drawbridge approvals approve apr_5f0c… name="Ada Lovelace" age=36
  $ drawbridge approvals approve apr_5f0c… --answer '{"name":"Ada Lovelace","age":36}'`,
    )
    .action(async (id: string, values: readonly string[], flags: ResolveFlags) => {
      const answer = values.length === 0 ? flags.answer : { ...flags.answer, ...parseValues(values) }
      return (await actions()).resolve({
        id,
        decision: 'allow-once',
        flags: { ...flags, ...(answer && { answer }) },
        deps,
      })
    })
  withFlags(approvals.command('deny <id>').description('refuse one, or all that waits in one run'))
    .option('--reason <text>', 'told to who asked, and kept')
    .addHelpText('after', '\nExample:\n  $ drawbridge approvals deny apr_5f0c… --reason "not this month"')
    .action(async (id: string, flags: ResolveFlags) => (await actions()).resolve({ id, decision: 'deny', flags, deps }))
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

function parseAnswer(text: string): JsonObject {
  const read = readValue(text, { isStrict: false })
  if (read.kind === 'value' && isJsonObject(read.value)) return read.value
  throw new InvalidArgumentError(read.kind === 'invalid' ? read.message : 'expected an object of the fields')
}

/** `field=value`, each an argument of its own: the shell has parted them and taken their quotes. */
function parseValues(values: readonly string[]): JsonObject {
  const pairs = values.map((text) => {
    const at = text.indexOf('=')
    if (at > 0) return [text.slice(0, at), text.slice(at + 1)] as const
    throw new CliFailure(2, `${JSON.stringify(text)} is no field=value, e.g. name="Ada Lovelace"`)
  })
  return Object.fromEntries(pairs)
}

function parseSchema(text: string): JsonObject {
  const read = readValue(text, { isStrict: false })
  if (read.kind === 'value' && isJsonObject(read.value)) return read.value
  throw new InvalidArgumentError(read.kind === 'invalid' ? read.message : 'expected a JSON Schema as an object')
}
