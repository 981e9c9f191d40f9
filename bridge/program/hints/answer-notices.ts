import type { JsonValue } from '../../../catalog/json.ts'
import type { JournalEvent } from '../../isolate/program-host.ts'
import type { Notice } from '../../outcome.ts'
import { absentReadNotice } from './absent-read.ts'
import { absentTextNotices } from './absent-text.ts'
import { errorCodeNotice } from './error-code.ts'

export interface AnsweredProgram {
  readonly code: string
  /** What it asked and was answered. */
  readonly events: readonly JournalEvent[]
  /** Absent where it failed. */
  readonly value?: JsonValue
}

/** Where a program went on with what no answer has: none of it fails, and its value looks like an answer. */
export function answerNotices({ code, events, value }: AnsweredProgram): readonly Notice[] {
  const course = courseOf(events)
  const answers = (kind: string): readonly string[] =>
    course.filter((step) => step.from === 'tools' && step.kind === kind).map(({ json }) => json)
  const json = value === undefined ? undefined : JSON.stringify(value)
  const notices = [
    absentReadNotice(code, { calls: answers('call'), searches: answers('search') }),
    outcomeStatusNotice(code, answers('call')),
    errorCodeNotice(code, answers('error')),
  ]
  return [...absentTextNotices({ code, value: json, course }), ...notices.filter((notice) => notice !== undefined)]
}

interface Step {
  readonly from: 'program' | 'tools'
  readonly kind: string
  readonly json: string
}

/** The calls that a program sent, and all that it was answered. */
function courseOf(events: readonly JournalEvent[]): readonly Step[] {
  const kinds = new Map<number, string>()
  return events.flatMap((event): readonly Step[] => {
    if (event.kind === 'asked') {
      const kind = /"kind":"([a-z-]{1,20})"/.exec(event.asked.slice(0, KIND_CHARS))?.[1] ?? 'timer'
      kinds.set(event.id, kind)
      return kind === 'call' ? [{ from: 'program', kind, json: event.asked }] : []
    }
    if (event.kind !== 'answered' || event.answer.kind === 'timer') return []
    const kind = event.answer.kind === 'error' ? 'error' : (kinds.get(event.id) ?? '')
    return [{ from: 'tools', kind, json: event.answer.json }]
  })
}

/** An operation begins with what it is. */
const KIND_CHARS = 60

/** `outcome.status === 'ok'` is never true. */
const OTHER_STATUS =
  /\.status\s{0,9}[=!]==?\s{0,9}["'`](ok|OK|success|succeeded|successful|completed|resolved|done|error|failed|failure)["'`]/

function outcomeStatusNotice(code: string, answers: readonly string[]): Notice | undefined {
  if (!/\b(?:callAll|allSettled)\(/.test(code)) return undefined
  const status = OTHER_STATUS.exec(code)?.[1]
  if (status === undefined || answers.some((json) => json.includes('"status"'))) return undefined
  const message = `the status of an outcome is "fulfilled" or "rejected", never "${status}", so what was compared with it went wrong`
  return { code: 'outcome-status', message }
}
