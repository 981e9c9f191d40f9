import { setImmediate as betweenOthers } from 'node:timers/promises'
import type { ServerMemory, ServerRecord } from '../../catalog/sources/mcp/connection/knowledge/server-memory.ts'
import { createServerMemory } from '../../catalog/sources/mcp/connection/knowledge/server-memory.ts'
import type { McpServerStore } from '../store/mcp-server-store.ts'
import { MEMORY_SPACING_MS, MEMORY_WRITE_MS, REDACTED_AT_ONCE, REMEMBERED_MAX_LENGTH } from './limits.ts'

export interface DurableMemory extends ServerMemory {
  /** Writes what is not written yet. Safe to call twice. */
  close(): Promise<void>
}

export interface DurableMemoryDeps {
  readonly store: McpServerStore
  /** Servers write their descriptions themselves. */
  readonly redact: <Value>(value: Value) => Value
  readonly warn: (message: string) => void
  /** From a change to its being written, and between two writes, in milliseconds. */
  readonly waits?: { readonly writeMs: number; readonly spacingMs: number }
}

/** What is known of servers, over restarts: read whole at the start, written behind. */
export async function openDurableMemory(deps: DurableMemoryDeps): Promise<DurableMemory> {
  const { writeMs, spacingMs } = deps.waits ?? { writeMs: MEMORY_WRITE_MS, spacingMs: MEMORY_SPACING_MS }
  const memory = createServerMemory()
  const kept = new Map<string, string>()
  for (const { server, record } of await deps.store.list()) {
    memory.write(server, record)
    kept.set(server, JSON.stringify(record))
  }
  const dirty = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()
  let writtenMs = Number.NEGATIVE_INFINITY

  async function writeOne(server: string): Promise<void> {
    const record = memory.read(server)
    const text = record === undefined ? undefined : JSON.stringify(await redacted(record, deps.redact))
    if (kept.get(server) === text) return
    if (text === undefined) await deps.store.remove(server)
    else await deps.store.put({ server, record: JSON.parse(text) })
    if (text === undefined) kept.delete(server)
    else kept.set(server, text)
  }

  async function writeAll(): Promise<void> {
    const servers = [...dirty]
    dirty.clear()
    for (const server of servers) {
      try {
        await writeOne(server)
      } catch (error) {
        // A restart then knows what it knew before; nothing that anybody made is lost.
        deps.warn(
          `what is known of MCP server "${server}" was not kept: ${error instanceof Error ? error.message : ''}`,
        )
      }
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writtenMs = performance.now()
    writing = writing.then(writeAll)
    return writing
  }

  return {
    read: (server) => memory.read(server),
    write(server, record) {
      memory.write(server, record)
      dirty.add(server)
      const waitMs = Math.max(writeMs, writtenMs + spacingMs - performance.now())
      timer ??= setTimeout(() => void flush(), waitMs).unref()
    },
    close: flush,
  }
}

/**
 * What is kept of a record, made between other work; without its tools where these are so many that every start would pay
 * for them.
 */
async function redacted(record: ServerRecord, redact: DurableMemoryDeps['redact']): Promise<ServerRecord> {
  const { list, ...rest } = record
  if (list === undefined) return redact(record)
  const definitions: (typeof list.definitions)[number][] = []
  let length = 0
  for (const definition of list.definitions) {
    const kept = redact(definition)
    length += JSON.stringify(kept).length
    if (length > REMEMBERED_MAX_LENGTH) return redact(rest)
    definitions.push(kept)
    if (definitions.length % REDACTED_AT_ONCE === 0) await betweenOthers()
  }
  return { ...redact(rest), list: { ...redact({ ...list, definitions: [] }), definitions } }
}
