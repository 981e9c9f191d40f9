import path from 'node:path'
import type { CliDeps } from '../../cli-deps.ts'
import { CliFailure } from '../../cli-failure.ts'

/** The text of a program file; `-` is stdin. */
export async function readProgram(file: string, deps: CliDeps): Promise<string> {
  if (file === '-') return deps.readStdin()
  try {
    return await deps.readFile(path.resolve(deps.cwd, file))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CliFailure(2, `program "${file}" cannot be read: ${reason}`)
  }
}
