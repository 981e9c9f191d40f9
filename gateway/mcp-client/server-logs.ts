import { appendFile, mkdir, rename, stat } from 'node:fs/promises'
import path from 'node:path'
import { SERVER_LOG_LINES_MAX, SERVER_LOG_MAX_BYTES } from './limits.ts'

export interface ServerLogsDeps {
  /** `logs/` of the state directory. */
  readonly folder: string
  /** Takes credentials out of a finished line. */
  readonly redact: (line: string) => string
  readonly warn: (message: string) => void
  readonly now: () => number
}

/** What each server writes to its stderr, in a file of its own: `logs/mcp/<server>.log`. */
export interface ServerLogs {
  write(server: string, line: string): void
  /** Writes what is not written yet. Safe to call twice. */
  close(): Promise<void>
}

export function createServerLogs(deps: ServerLogsDeps): ServerLogs {
  const folder = path.join(deps.folder, 'mcp')
  const waiting = new Map<string, string[]>()
  let writing: Promise<void> | undefined
  let hasWarned = false

  async function writeOne(server: string, lines: readonly string[]): Promise<void> {
    const file = path.join(folder, `${server}.log`)
    if ((await sizeOf(file)) > SERVER_LOG_MAX_BYTES) await rename(file, `${file}.1`)
    await appendFile(file, lines.join(''), { mode: 0o600 })
  }

  async function writeAll(): Promise<void> {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      for (const [server, lines] of waiting) {
        waiting.delete(server)
        await writeOne(server, lines)
      }
    } catch (error) {
      // A full disk: what servers chat is the first thing to do without.
      waiting.clear()
      if (!hasWarned) deps.warn(`what MCP servers say is not kept: ${error instanceof Error ? error.message : ''}`)
      hasWarned = true
    } finally {
      writing = undefined
    }
  }

  return {
    write(server, line) {
      const lines = waiting.get(server) ?? []
      // A disk that is slower than a server in a loop must not fill the memory.
      if (lines.length < SERVER_LOG_LINES_MAX) {
        lines.push(`${new Date(deps.now()).toISOString()} ${deps.redact(line)}\n`)
      }
      waiting.set(server, lines)
      // In the next turn, so that what comes together is written together.
      writing ??= Promise.resolve().then(writeAll)
    },
    async close() {
      while (waiting.size > 0 || writing !== undefined) await (writing ??= writeAll())
    },
  }
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size
  } catch {
    // Not there yet.
    return 0
  }
}
