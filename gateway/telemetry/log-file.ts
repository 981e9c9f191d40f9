import { openSync, writeSync } from 'node:fs'

export interface LogFile {
  readonly write: (line: string) => void
}

/**
 * Appends lines at once, so that the last ones before a crash are there. Where the disk is full or gone a line is dropped
 * and that is told once; a log that cannot be written must not end the gateway whose troubles it would tell.
 */
export function openLogFile(file: string, mode: number, tell: (message: string) => void): LogFile {
  const descriptor = openSync(file, 'a', mode)
  let dropped = 0
  let isTorn = false
  const append = (text: string): void => {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length;) {
      at += writeSync(descriptor, bytes, at)
      isTorn = at < bytes.length
    }
  }
  return {
    write(line) {
      try {
        // What a full disk cut off is a line of its own, so that the next one is still read.
        append(isTorn ? `\n${line}` : line)
        if (dropped > 0) tell(`the log ${file} is written again; it lacks ${dropped} lines`)
        dropped = 0
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        if (dropped === 0) tell(`the log ${file} cannot be written, lines are dropped until it can: ${reason}`)
        dropped += 1
      }
    },
  }
}
