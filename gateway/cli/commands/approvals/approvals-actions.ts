import type { JsonObject } from '../../../../catalog/json.ts'
import { isJsonObject } from '../../../../catalog/json.ts'
import type { CliDeps } from '../../cli-deps.ts'
import { CliFailure } from '../../cli-failure.ts'
import type { GatewayAnswer } from '../../gateway-client.ts'
import { createGatewayClient } from '../../gateway-client.ts'
import { APPROVAL_INPUT_CHARS } from '../../limits.ts'
import type { Output } from '../../output.ts'
import { createOutput, harmless, oneLine } from '../../output.ts'
import { failureOf, objectsOf, textOf } from '../failed-answer.ts'
import { questionLines } from './question-text.ts'

export interface ApprovalFlags {
  readonly stateDir?: string
  readonly json?: true
}

export interface PendingFlags extends ApprovalFlags {
  readonly run?: string
}

export interface ResolveFlags extends ApprovalFlags {
  readonly reason?: string
  readonly until?: string
  readonly args?: JsonObject
  readonly answer?: JsonObject
}

interface Asked<Flags> {
  readonly flags: Flags
  readonly deps: CliDeps
}

export async function listPending({ flags, deps }: Asked<PendingFlags>): Promise<void> {
  const output = createOutput(deps)
  const query = new URLSearchParams({ state: 'pending', limit: '1000', ...(flags.run && { run: flags.run }) })
  const { body } = await ask({ method: 'GET', path: `/v1/approvals?${query.toString()}` }, { flags, deps })
  if (flags.json) return output.json(body)
  const approvals = objectsOf(body['approvals'])
  for (const [run, together] of byRun(approvals)) {
    if (together.length > 1)
      output.line(`${output.bold(harmless(run))}  ${together.length} calls; its id decides them all`)
    for (const approval of together) printPending(approval, { output, nowMs: deps.now() })
  }
  if (approvals.length === 0) return output.note('nothing waits for a decision')
  if (body['nextBefore'] !== undefined) output.note(`only the last ${approvals.length} are shown; there may be more`)
  return output.note('decide by: drawbridge approvals resolve <id> allow-once|allow-always|deny')
}

export async function showApproval({ id, flags, deps }: Asked<ApprovalFlags> & { readonly id: string }): Promise<void> {
  const output = createOutput(deps)
  const { body } = await ask({ method: 'GET', path: `/v1/approvals/${encodeURIComponent(id)}` }, { flags, deps })
  if (flags.json) return output.json(body)
  output.line(harmless(JSON.stringify(body, null, 2)))
  for (const line of questionLines(body)) output.note(line)
}

export async function resolve(
  asked: Asked<ResolveFlags> & { readonly id: string; readonly decision: string },
): Promise<void> {
  const { id, decision, flags, deps } = asked
  const output = createOutput(deps)
  const { reason, until, args, answer } = flags
  const body = {
    decision,
    ...(reason !== undefined && { reason }),
    ...(until !== undefined && { until }),
    ...(args && { args }),
    ...(answer && { answer }),
  }
  if (id.startsWith('run_')) return resolveRun(id, body, { flags, deps })
  const path = `/v1/approvals/${encodeURIComponent(id)}/decision`
  const { body: approval } = await ask({ method: 'POST', path, body }, { flags, deps })
  if (flags.json) return output.json(approval)
  return output.line(decidedLine(approval))
}

async function resolveRun(run: string, body: JsonObject, { flags, deps }: Asked<ResolveFlags>): Promise<void> {
  const output = createOutput(deps)
  const request = { method: 'POST', path: '/v1/approvals/decisions', body: { run, ...body } } as const
  const { body: answer } = await ask(request, { flags, deps })
  const results = objectsOf(answer['results'])
  const failed = results.filter((result) => result['result'] !== 'decided')
  if (flags.json) output.json(answer)
  else for (const result of results) output.line(resultLine(result))
  if (results.length === 0) throw new CliFailure(1, `nothing waits for a decision in run "${run}"`)
  if (failed.length > 0) throw new CliFailure(1, `${failed.length} of ${results.length} were not decided by this`)
}

type Request = Parameters<ReturnType<typeof createGatewayClient>['request']>[0]

/** @throws {CliFailure} for every answer that is no success; a conflict says in `--json` what was decided */
export async function ask(request: Request, { flags, deps }: Asked<ApprovalFlags>): Promise<GatewayAnswer> {
  const answer = await createGatewayClient(flags.stateDir, deps, 'admin').request(request)
  if (answer.status < 300) return answer
  const failure = failureOf(answer)
  const { approval } = answer.body
  throw isJsonObject(approval) ? new CliFailure(1, failure.message, { ...failure.details, approval }) : failure
}

/** Calls of one run, which can be decided together; one of no run stands alone, under its own id. */
function byRun(approvals: readonly JsonObject[]): Map<string, readonly JsonObject[]> {
  return Map.groupBy(approvals, (approval) => textOf(approval, 'runId') ?? textOf(approval, 'id') ?? '')
}

function printPending(
  approval: JsonObject,
  { output, nowMs }: { readonly output: Output; readonly nowMs: number },
): void {
  const text = (key: string): string => harmless(textOf(approval, key) ?? '')
  const expiresMs = approval['expiresMs']
  const left = typeof expiresMs === 'number' ? `${timeLeft(expiresMs - nowMs)} left` : ''
  output.line(`${output.bold(text('id'))}  ${text('toolId')}  agent ${text('agent')}  ${left}`)
  const asker = askerOf(approval)
  if (asker !== undefined) output.line(`    ${oneLine(harmless(asker), APPROVAL_INPUT_CHARS)}`)
  const { cause } = approval
  const where = isJsonObject(cause) ? ` (asked by ${textOf(cause, 'where') ?? '?'})` : ''
  output.line(`    ${oneLine(`${text('title')}${where}`, APPROVAL_INPUT_CHARS)}`)
  // What it is called where nobody described it says no more than the next line.
  const isDescribed = text('description') !== '' && !text('description').startsWith(text('toolId'))
  if (isDescribed) output.line(`    ${oneLine(text('description'), APPROVAL_INPUT_CHARS)}`)
  output.line(output.dim(`    ${oneLine(JSON.stringify(approval['input'] ?? {}), APPROVAL_INPUT_CHARS)}`))
  for (const line of questionLines(approval)) output.line(`    ${line}`)
}

/** Who asks, where a channel or sender is named; a row of an older gateway does not say who vouched. */
function askerOf(approval: JsonObject): string | undefined {
  const [sender, channel] = [textOf(approval, 'sender'), textOf(approval, 'channel')]
  const named = [sender === undefined ? [] : [`from ${sender}`], channel === undefined ? [] : [`in ${channel}`]].flat()
  if (named.length === 0) return undefined
  // In front, where no long name pushes it out of sight.
  return `${approval['isVouched'] === true ? '' : '(claimed) '}${named.join(' ')}`
}

function decidedLine(approval: JsonObject): string {
  return harmless(`${textOf(approval, 'id')} is ${textOf(approval, 'state')}: ${textOf(approval, 'toolId')}`)
}

function resultLine(result: JsonObject): string {
  const { approval } = result
  const isDecided = result['result'] === 'decided' && isJsonObject(approval)
  return isDecided ? decidedLine(approval) : harmless(textOf(result, 'message') ?? '')
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

function timeLeft(ms: number): string {
  const [name, unitMs] = UNITS.find((unit) => ms >= unit[1]) ?? ['s', 1_000]
  return `${Math.max(0, Math.floor(ms / unitMs))} ${name}`
}
