import { statSync } from 'node:fs'
import { McpConnectError } from '../../errors.ts'
import type { StdioServerConfig } from '../../server-config.ts'

/** The system says ENOENT of a folder that is not there as it does of the program. */
export function startFault({ command, cwd }: StdioServerConfig, error: NodeJS.ErrnoException): McpConnectError {
  const code = error.code ?? 'unknown error'
  if (cwd !== undefined && !isFolder(cwd)) {
    const message = `cannot start command "${command}": its cwd "${cwd}" is no folder that is there; make it, or correct it in the configuration`
    return new McpConnectError('cannot-start', message, { cause: error })
  }
  const parted = /\s/.test(command) ? '; what follows its first word may belong into "args"' : ''
  const message = `cannot start command "${command}" (${code}); check that it is installed and on PATH${parted}`
  return new McpConnectError('cannot-start', message, { cause: error })
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
