/** The programs, in the order in which they are measured; each engine has them in its own words. */
export const PROGRAMS = ['return-1', 'search', 'one-call', 'twenty-calls'] as const
export type ProgramName = (typeof PROGRAMS)[number]

/** What each program has to give, whoever runs it. */
export const EXPECTED: Readonly<Record<ProgramName, unknown>> = {
  'return-1': 1,
  search: 'echo',
  'one-call': 'hello',
  'twenty-calls': 'hello 19',
}

/** One engine with one way to its tools, both running. */
export interface Contender {
  readonly engine: string
  readonly version: string
  /** What stands behind a call. */
  readonly tool: 'mcp-http' | 'openapi'
  /** Of those that it is measured with. */
  readonly programs: Readonly<Partial<Record<ProgramName, string>>>
  /** Runs a program over the engine's public entry and gives its value; rejects when it did not complete. */
  execute(code: string): Promise<unknown>
}

/** An engine that runs, with each of its ways to the tools. */
export interface StartedEngine {
  readonly contenders: readonly Contender[]
  stop(): Promise<void>
}

export function callsTool(program: ProgramName): boolean {
  return program === 'one-call' || program === 'twenty-calls'
}
