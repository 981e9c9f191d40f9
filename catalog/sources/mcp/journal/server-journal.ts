import { REASON_MAX_LENGTH, STDERR_LINE_MAX_LENGTH, STDERR_LINES_PER_MINUTE } from '../limits.ts'
import type { McpLog } from '../log.ts'

/** All that is said about one server goes through here: masked, bounded, and not twice. */
export interface ServerJournal {
  readonly info: (message: string) => void
  readonly warn: (message: string) => void
  readonly debug: (message: string) => void
  /** Says it the first time for each `topic`. */
  readonly warnOnce: (topic: string, message: string) => void
  readonly stderr: (line: string) => void
  /** Masks secrets and cuts to what a person reads. */
  readonly clean: (text: string) => string
}

const MINUTE_MS = 60_000

export function createServerJournal(deps: {
  readonly server: string
  readonly log: McpLog
  readonly now: () => number
  readonly mask: (text: string) => string
}): ServerJournal {
  const said = new Set<string>()
  let minute = 0
  let linesInMinute = 0

  const clean = (text: string): string => cut(deps.mask(text), REASON_MAX_LENGTH)
  const say = (level: 'debug' | 'info' | 'warn', message: string): void =>
    deps.log({ level, server: deps.server, message: clean(message) })

  return {
    info: (message) => say('info', message),
    warn: (message) => say('warn', message),
    debug: (message) => say('debug', message),
    warnOnce(topic, message) {
      if (said.has(topic)) return
      said.add(topic)
      say('warn', message)
    },
    stderr(line) {
      const message = cut(deps.mask(line), STDERR_LINE_MAX_LENGTH)
      const current = Math.floor(deps.now() / MINUTE_MS)
      if (current !== minute) {
        minute = current
        linesInMinute = 0
      }
      linesInMinute += 1
      if (linesInMinute > STDERR_LINES_PER_MINUTE) return
      deps.log({ level: 'info', server: deps.server, message, stream: 'stderr' })
      if (linesInMinute === STDERR_LINES_PER_MINUTE) say('warn', 'stderr is skipped for the rest of this minute')
    },
    clean,
  }
}

function cut(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`
}
