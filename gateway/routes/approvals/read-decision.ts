import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { SchemaChecker } from '../../../catalog/schema.ts'
import type { Decision } from '../../approvals/decision.ts'
import { DECISIONS } from '../../approvals/decision.ts'
import { ANSWER_MAX_CHARS, DECISIONS_MAX, PATTERN_MAX_CHARS, REASON_MAX_CHARS } from '../../approvals/limits.ts'
import { checkFields } from '../check-fields.ts'
import { HttpError } from '../../http/http-error.ts'

export interface ReadDecisionDeps {
  readonly schemas: Pick<SchemaChecker, 'inspect'>
  readonly redactText: (text: string) => string
  readonly now: () => number
}

const KEYS = ['decision', 'reason', 'until', 'args', 'answer']

/**
 * `{ decision, reason?, until?, args?, answer? }`. `until` and `args`, of `allow-always` alone, are when its grant ends
 * and what the arguments of the calls look like that it covers; `answer` has the values that a tool asks for.
 * @throws {HttpError} 400
 */
export function readDecision(
  { id, body }: { readonly id: string; readonly body: JsonValue | undefined },
  deps: ReadDecisionDeps,
): Decision {
  if (!isJsonObject(body)) throw invalid(`the body is { "decision": ${listed()}, "reason"?: "…" }`, 'decision')
  checkFields(body, KEYS)
  const decision = DECISIONS.find((each) => each === body['decision'])
  if (decision === undefined) {
    throw invalid(`decision is ${listed()}, got ${quoted(body['decision'])}`, 'decision')
  }
  const reason = readReason(body['reason'])
  const untilMs = readUntil(body['until'], deps.now())
  const args = readPattern(body['args'], deps)
  const answer = readAnswer(body['answer'])
  if (decision !== 'allow-always' && (untilMs !== undefined || args !== undefined)) {
    const param = untilMs === undefined ? 'args' : 'until'
    throw invalid(`${param} narrows what "allow-always" allows; leave it out of "${decision}"`, param)
  }
  return {
    id,
    decision,
    ...(reason !== undefined && { reason: deps.redactText(reason) }),
    ...(untilMs !== undefined && { untilMs }),
    ...(args && { args }),
    ...(answer && { answer }),
  }
}

export interface ReadDecisionsDeps extends ReadDecisionDeps {
  /** Ids of what waits in a run. */
  readonly pendingOfRun: (runId: string) => Promise<readonly string[]>
}

/**
 * `{ decisions: [{ id, decision, … }] }`, or `{ run, decision, … }` for all that waits in one run.
 * @throws {HttpError} 400
 */
export async function readDecisions(
  body: JsonValue | undefined,
  deps: ReadDecisionsDeps,
): Promise<readonly Decision[]> {
  if (!isJsonObject(body)) throw invalid(DECISIONS_FORM, 'decisions')
  const { run, decisions, ...rest } = body
  if (typeof run === 'string' && decisions === undefined) {
    if (rest['answer'] !== undefined) throw invalid('answer is to one question; decide it by its own id', 'answer')
    const common = readDecision({ id: '', body: rest }, deps)
    return (await deps.pendingOfRun(run)).map((id) => ({ ...common, id }))
  }
  if (!Array.isArray(decisions) || run !== undefined || Object.keys(rest).length > 0) {
    throw invalid(DECISIONS_FORM, 'decisions')
  }
  if (decisions.length > DECISIONS_MAX) {
    throw invalid(
      `${decisions.length} decisions are more than ${DECISIONS_MAX}; send them in several requests`,
      'decisions',
    )
  }
  const read = decisions.map((each: JsonValue, index) => readOne(each, `decisions[${index}]`, deps))
  const repeated = read.find(({ id }, index) => read.findIndex((each) => each.id === id) < index)
  if (repeated !== undefined) throw invalid(`approval ${quoted(repeated.id)} stands twice in decisions`, 'decisions')
  return read
}

const DECISIONS_FORM = 'the body is { "decisions": [{ "id", "decision", … }] }, or { "run": "run_…", "decision", … }'

function readOne(each: JsonValue, place: string, deps: ReadDecisionDeps): Decision {
  if (!isJsonObject(each) || typeof each['id'] !== 'string') throw invalid(`${place} has no id`, place)
  const { id, ...body } = each
  return readDecision({ id, body }, deps)
}

function readReason(reason: JsonValue | undefined): string | undefined {
  if (reason === undefined) return undefined
  if (typeof reason === 'string' && reason.length <= REASON_MAX_CHARS) return reason
  throw invalid(`reason is a text of at most ${REASON_MAX_CHARS} characters`, 'reason')
}

/** Unix milliseconds, or a time of ISO 8601 with its zone. */
function readUntil(until: JsonValue | undefined, nowMs: number): number | undefined {
  if (until === undefined) return undefined
  const isTime = typeof until === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(until)
  const ms = isTime ? Date.parse(until) : until
  if (typeof ms !== 'number' || !Number.isSafeInteger(ms)) {
    throw invalid(`until is a time, "2027-01-31T12:00:00Z" or Unix milliseconds, got ${quoted(until)}`, 'until')
  }
  if (ms > nowMs) return ms
  throw invalid(`until is over already: ${new Date(ms).toISOString()}`, 'until')
}

function readPattern(args: JsonValue | undefined, { schemas }: ReadDecisionDeps): JsonObject | undefined {
  if (args === undefined) return undefined
  if (!isJsonObject(args)) throw invalid('args is a JSON Schema that the arguments of covered calls match', 'args')
  if (JSON.stringify(args).length > PATTERN_MAX_CHARS) {
    throw invalid(`args has more than ${PATTERN_MAX_CHARS} characters of JSON`, 'args')
  }
  const verdict = schemas.inspect(args, 'output')
  if (verdict.kind === 'sound') return args
  throw invalid(`args is no JSON Schema that can be enforced: ${verdict.reason}`, 'args')
}

function readAnswer(answer: JsonValue | undefined): JsonObject | undefined {
  if (answer === undefined) return undefined
  if (!isJsonObject(answer))
    throw invalid('answer is an object of the fields that are asked for, by their names', 'answer')
  if (JSON.stringify(answer).length <= ANSWER_MAX_CHARS) return answer
  throw invalid(`answer has more than ${ANSWER_MAX_CHARS} characters of JSON`, 'answer')
}

function listed(): string {
  return DECISIONS.map((decision) => `"${decision}"`).join(' | ')
}

function quoted(value: JsonValue | undefined): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 100)
}

function invalid(message: string, param: string): HttpError {
  return new HttpError('invalid_request', message, { param })
}
