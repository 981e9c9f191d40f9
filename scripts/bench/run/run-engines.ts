import type { JsonValue } from '../../../catalog/json.ts'
import { DEFAULT_LIMITS } from '../../../bridge/isolate/limits.ts'
import type { Operation, ProgramHost } from '../../../bridge/isolate/program-host.ts'
import { createInProcessRunner } from './in-process-runner.ts'
import type { BareBridge } from '../bare-bridge/bare-bridge.ts'
import { runInChild } from '../reference-design/child-per-run.ts'

export interface Program {
  readonly name: string
  readonly code: string
  readonly value: string
}

/** Runs one program to its end and throws when its value is not the right one. */
type Engine = (program: Program, tenant?: string) => Promise<void>

export type RunEngines = Readonly<Record<string, Engine>>

/** Each way of running a program, with the same answers. */
export function createRunEngines(pool: ProgramHost, bare: BareBridge): RunEngines {
  return {
    drawbridge: (program, tenant = 'bench') => runInPool(pool, program, tenant),
    'in-process': createInProcessEngine(),
    bare: async (program) => check(program, JSON.stringify(await bare.run(program.code, answerBare))),
    reference: async (program) => check(program, JSON.stringify(await runInChild(program.code, answerValue))),
  }
}

export async function runInPool(pool: ProgramHost, program: Program, tenant: string): Promise<void> {
  const end = await runCode(pool, program.code, tenant)
  check(program, end.kind === 'value' ? JSON.stringify(end.value) : JSON.stringify(end))
}

export function runCode(pool: ProgramHost, code: string, tenant: string): ReturnType<ProgramHost['run']> {
  const answer = async (operation: Operation) => ({ kind: 'value', value: answerOperation(operation) }) as const
  const request = { runId: 'bench', tenant, code, limits: DEFAULT_LIMITS, seed: 1, startMs: Date.now(), answer }
  return pool.run(request, new AbortController().signal)
}

function createInProcessEngine(): Engine {
  const run = createInProcessRunner()
  return async (program) => {
    const json = await run(program.code, async (operation) => JSON.stringify(answerOperation(operation)))
    check(program, JSON.stringify(JSON.parse(json).value))
  }
}

/** The gateway's part, the same and as little as possible for every engine: the bench is of what runs programs. */
function answerOperation(operation: unknown): JsonValue {
  const { kind, args } = isOperation(operation) ? operation : { kind: '', args: {} }
  return kind === 'search' ? { hits: HITS, notes: [] } : answerKind(kind, args)
}

function answerBare(kind: string, args: unknown): JsonValue {
  return kind === 'search' ? HITS : answerKind(kind, args)
}

function answerValue(kind: string, args: readonly unknown[]): unknown {
  return answerBare(kind, args[1])
}

const HITS = Array.from({ length: 8 }, (_, index) => ({
  id: index === 0 ? 'plugin:math:add' : `plugin:other:tool_${index}`,
  name: index === 0 ? 'add' : `tool_${index}`,
  description: 'Adds two numbers and gives their sum, as a tool of a small catalog would.',
  signature: '(args: { a: number; b: number }) => Promise<{ sum: number }>',
}))

function answerKind(kind: string, args: unknown): JsonValue {
  if (kind === 'describe') return { id: 'plugin:math:add', inputSchema: { type: 'object' } }
  const { a, b } = isPair(args) ? args : { a: 0, b: 0 }
  return { sum: a + b }
}

function isOperation(value: unknown): value is { readonly kind: string; readonly args: unknown } {
  return typeof value === 'object' && value !== null && 'kind' in value
}

function isPair(value: unknown): value is { readonly a: number; readonly b: number } {
  return typeof value === 'object' && value !== null && 'a' in value && 'b' in value
}

function check(program: Program, json: string): void {
  if (json !== program.value) throw new Error(`${program.name} gave ${json.slice(0, 300)}, not ${program.value}`)
}
