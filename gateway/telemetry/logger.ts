import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import { multistream, pino } from 'pino'
import { LOG_FILE_MAX_BYTES } from './limits.ts'
import { openLogFile } from './log-file.ts'

export interface LoggerOptions {
  /** `logs/` of the state directory. */
  readonly folder: string
  /** Takes credentials out of a finished line. */
  readonly redact: (line: string) => string
  /** Where warnings go beside the file; a person looks there. */
  readonly stderr: { readonly write: (line: string) => unknown }
}

/** JSON lines: everything to `logs/gateway.log`, warnings and errors also to the terminal. */
export function createLogger({ folder, redact, stderr }: LoggerOptions): Logger {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = path.join(folder, 'gateway.log')
  if (existsSync(file) && statSync(file).size > LOG_FILE_MAX_BYTES) renameSync(file, `${file}.1`)
  const streams = multistream([
    { level: 'info', stream: openLogFile(file, 0o600, (message) => void stderr.write(`${message}\n`)) },
    { level: 'warn', stream: { write: (line: string) => void stderr.write(line) } },
  ])
  // On the finished line, so that no field, nested error or message gets around it.
  return pino({ level: 'info', base: null, hooks: { streamWrite: redact } }, streams)
}
