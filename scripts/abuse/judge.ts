import { isDeepStrictEqual } from 'node:util'
import type { Run } from '../../bridge/run.ts'

/** What a line of an abuse file accepts; either form, hostile programs (`ends`) or programs as models write them (`end`). */
export interface Expectation {
  readonly ends?: readonly string[]
  readonly end?: string | readonly string[]
  readonly value?: unknown
  readonly not?: readonly string[]
  readonly maxCalls?: number
  readonly maxLogBytes?: number
  readonly maxErrorBytes?: number
  readonly hostClean?: boolean
  readonly repeat?: number
  readonly notice?: boolean
  readonly logs?: readonly string[]
  readonly calls?: number
  readonly line?: number
  readonly errorHas?: readonly string[]
  readonly errorOrNoticeHas?: readonly string[]
  readonly fast?: boolean
  readonly notEmptyObject?: boolean
}

export interface Judged {
  readonly run: Run
  readonly ms: number
  readonly expect: Expectation
  /** Wall clock of the gateway's runs. */
  readonly wallMs: number
}

/** Every way in which a run is not what the line accepts; empty when it passes. */
export function faultsOf({ run, ms, expect, wallMs }: Judged): readonly string[] {
  const error = run.status === 'failed' ? run.error : undefined
  const end = error?.code ?? run.status
  const accepted = expect.ends ?? [expect.end ?? 'completed'].flat()
  const isCompleted = run.status === 'completed'
  const text = JSON.stringify(run)
  const errorText = error === undefined ? '' : JSON.stringify(error)
  const noticeText = `${errorText} ${JSON.stringify(run.notices)} ${JSON.stringify(run.logs)}`
  const forbidden = [...(expect.not ?? []), 'ESCAPED']
  const logs = run.logs.map((entry) => entry.text)
  const logBytes = logs.reduce((sum, line) => sum + Buffer.byteLength(line), 0)
  const problems: readonly (string | false)[] = [
    !accepted.includes(end) && `ended ${end}, not ${accepted.join(' or ')}`,
    isCompleted && 'value' in expect && !isDeepStrictEqual(run.value, expect.value) && 'another value',
    isCompleted && expect.notEmptyObject === true && isEmptyObject(run.value) && 'the value is an empty object',
    forbidden.some((word) => text.includes(word)) && `holds ${forbidden.find((word) => text.includes(word)) ?? ''}`,
    run.calls.length > (expect.maxCalls ?? Infinity) && `${run.calls.length} calls reached the host`,
    logBytes > (expect.maxLogBytes ?? Infinity) && `${logBytes} bytes of log`,
    Buffer.byteLength(errorText) > (expect.maxErrorBytes ?? Infinity) && 'the error is too long',
    expect.hostClean === true && isPolluted() && 'a prototype of the gateway is polluted',
    expect.notice === true && run.notices.length === 0 && 'no notice',
    expect.logs !== undefined && !isDeepStrictEqual(logs, expect.logs) && 'another log',
    expect.calls !== undefined && run.calls.length !== expect.calls && `${run.calls.length} calls`,
    expect.line !== undefined && error?.line !== expect.line && 'another line',
    !hasAll(errorText, isCompleted ? [] : expect.errorHas) && 'the error lacks words',
    !hasAll(noticeText, expect.errorOrNoticeHas) && 'error and notices lack words',
    expect.fast === true && ms > wallMs / 2 && 'took long',
  ]
  return problems.filter((problem) => problem !== false)
}

function hasAll(text: string, words: readonly string[] = []): boolean {
  return words.every((word) => text.toLowerCase().includes(word.toLowerCase()))
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
}

/** What a polluted prototype would show on every object of this process. */
function isPolluted(): boolean {
  return Object.keys(Object.prototype).length > 0 || 'polluted' in {} || 'stain' in {}
}
