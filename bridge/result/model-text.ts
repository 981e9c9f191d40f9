import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import type { Notice, Outcome, SettledCall } from '../outcome.ts'
import type { LogEntry, Run, RunCall } from '../run.ts'
import { jsonBytes } from './cut-text.ts'
import { cutForJson, previewOf } from './json-room.ts'

/**
 * The model's text of a run: JSON within the byte limit. What does not fit is left out part by part, never by cutting
 * the JSON: the oldest log lines first, then the end of the value, then what repeats itself; each cut says so.
 */
export function runText(run: Run, maxBytes: number): string {
  const core = coreOf(run)
  const logs = run.logs.map(logText)
  const whole = { ...core, ...listed('logs', logs) }
  if (jsonBytes(whole) <= maxBytes) return JSON.stringify(whole)
  const withSomeLogs = newestLogs(core, logs, maxBytes)
  if (withSomeLogs !== undefined) return JSON.stringify(withSomeLogs)
  const bare = { ...core, ...droppedLogs(logs.length) }
  return withinBytes(bare, run.status === 'completed' ? run.value : undefined, maxBytes)
}

/** The model's text of one call, within the byte limit. */
export function callText(settled: SettledCall, maxBytes: number): string {
  const { outcome } = settled
  const notices = listed('notices', settled.notices.map(noticeText))
  const whole: JsonObject =
    outcome.kind === 'ok' ? { outcome: 'ok', value: outcome.value, ...notices } : { ...refusal(outcome), ...notices }
  const text = JSON.stringify(whole)
  if (Buffer.byteLength(text) <= maxBytes) return text
  return withinBytes(whole, outcome.kind === 'ok' ? outcome.value : undefined, maxBytes)
}

const NOT_UNDONE = 'these calls were made before the end and are not undone'

function coreOf(run: Run): JsonObject {
  const calls = grouped(run.calls)
  return {
    status: run.status,
    ...endOf(run),
    ...listed('notices', run.notices.map(noticeText)),
    // A failed run says so too where nothing was called: then it may be run again as it is.
    ...(run.status === 'failed' ? { calls } : listed('calls', calls)),
    ...(run.status === 'failed' && run.calls.some(({ effect }) => effect !== 'none') && { callsNote: NOT_UNDONE }),
    ...listed(
      'artifacts',
      run.artifacts.map(({ id, bytes, mimeType }) => ({ id, bytes, mimeType })),
    ),
  }
}

function endOf(run: Run): JsonObject {
  switch (run.status) {
    case 'completed':
      return { value: run.value }
    case 'failed':
      return { error: errorOf(run.error) }
    case 'waiting':
      return { pending: run.pending.map((each) => ({ ...each })), note: WAITING_NOTE }
  }
}

const WAITING_NOTE = 'these calls have not been made; the program goes on by itself once they are decided or answered'

function errorOf({ code, message, line, column, hint }: Extract<Run, { status: 'failed' }>['error']): JsonObject {
  return {
    code,
    message,
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    // The message often ends with it.
    ...(hint !== undefined && !message.includes(hint) && { hint }),
  }
}

/** Calls of one tool that ended alike, one after the other, are one entry with their number. */
function grouped(calls: readonly RunCall[]): readonly JsonObject[] {
  const groups: { readonly tool: string; readonly outcome: string; readonly effect: string; readonly times: number }[] =
    []
  for (const { tool, outcome, effect } of calls) {
    const last = groups.at(-1)
    if (last?.tool === tool && last.outcome === outcome && last.effect === effect) {
      groups[groups.length - 1] = { ...last, times: last.times + 1 }
    } else groups.push({ tool, outcome, effect, times: 1 })
  }
  return groups.map(({ times, ...call }) => (times === 1 ? call : { ...call, times }))
}

function refusal(outcome: Exclude<Outcome, { kind: 'ok' }>): JsonObject {
  return {
    outcome: outcome.kind,
    message: outcome.message,
    effect: outcome.effect,
    ...(outcome.kind === 'unknown-tool' && listed('suggestions', outcome.suggestions)),
    ...(outcome.kind === 'ambiguous-tool' && listed('ids', outcome.ids)),
    ...(outcome.kind === 'invalid-input' && {
      problems: outcome.problems.map((problem) => ({ ...problem })),
      signature: outcome.signature,
    }),
  }
}

function noticeText({ message }: Notice): string {
  return message
}

function logText({ level, text }: LogEntry): string {
  return level === 'log' || level === 'info' ? text : `${level}: ${text}`
}

function listed(key: string, items: readonly JsonValue[]): JsonObject {
  return items.length === 0 ? {} : { [key]: items }
}

function droppedLogs(count: number): JsonObject {
  return count === 0 ? {} : { logsDropped: `${count} older log lines are left out` }
}

/** As many of the newest lines as fit; undefined where not even none does. */
function newestLogs(core: JsonObject, logs: readonly string[], maxBytes: number): JsonObject | undefined {
  if (logs.length === 0) return undefined
  let room = maxBytes - jsonBytes({ ...core, ...droppedLogs(logs.length), logs: [] })
  if (room < 0) return undefined
  let from = logs.length
  while (from > 0 && jsonBytes(logs[from - 1]) < room) room -= jsonBytes(logs[--from]) + 1
  return { ...core, ...droppedLogs(from), ...listed('logs', logs.slice(from)) }
}

/** The object with its value and long texts cut so that it fits; in the end with nothing but how it ended. */
function withinBytes(whole: JsonObject, value: JsonValue | undefined, maxBytes: number): string {
  for (const textBytes of [1_000, 200, 60]) {
    const rest =
      value === undefined ? shortened(whole, textBytes) : { ...shortened({ ...whole, value: null }, textBytes) }
    const room = maxBytes - jsonBytes(rest) + jsonBytes(null)
    const made =
      value === undefined ? rest : { ...rest, value: jsonBytes(value) <= room ? value : previewOf(value, room) }
    if (jsonBytes(made) <= maxBytes) return JSON.stringify(made)
  }
  const ending = { status: whole.status ?? whole.outcome ?? 'failed', cut: 'the result does not fit' }
  const last = [ending, { status: ending.status }, {}].find((form) => jsonBytes(form) <= maxBytes)
  return JSON.stringify(last ?? {})
}

/** Every text cut to its bound; of long lists the end, since what came last matters most. */
function shortened(value: JsonObject, textBytes: number): JsonObject {
  const entries = Object.entries(value).flatMap(([key, item]): readonly (readonly [string, JsonValue])[] => {
    if (!Array.isArray(item)) return [[key, shorten(item, textBytes)]]
    const kept = item.slice(-Math.ceil(textBytes / 10)).map((one) => shorten(one, textBytes))
    const left = item.length - kept.length
    return left === 0
      ? [[key, kept]]
      : [
          [key, kept],
          [`${key}LeftOut`, left],
        ]
  })
  return Object.fromEntries(entries)
}

function shorten(value: JsonValue, textBytes: number): JsonValue {
  if (typeof value === 'string') return jsonBytes(value) <= textBytes ? value : `${cutForJson(value, textBytes)}…`
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => shorten(item, textBytes))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shorten(item, textBytes)]))
}
