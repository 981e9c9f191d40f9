import type { ConfigPath } from './document/config-path.ts'
import { formatPath } from './document/config-path.ts'

/** Where in the file, counted from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** One thing that is wrong with the configuration. */
export interface ConfigProblem {
  /** `reference`: an environment variable, file or command that this process cannot resolve; another may. */
  readonly kind: 'syntax' | 'invalid' | 'reference'
  readonly path: ConfigPath
  readonly message: string
  readonly position?: Position
}

/** `drawbridge.json5:3:5: gateway.port: is "x" (a string); expected an integer from 0 to 65535`. */
export function formatProblem(problem: ConfigProblem, file: string | undefined): string {
  const place = [file, problem.position?.line, problem.position?.column].filter((part) => part !== undefined).join(':')
  const path = formatPath(problem.path)
  return [place, path, problem.message].filter((part) => part !== '').join(': ')
}
