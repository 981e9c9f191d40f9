import { setImmediate as betweenOthers } from 'node:timers/promises'
import type { PinMark, ToolPin, ToolPins } from '../../catalog/sources/mcp/trust/pins/tool-pins.ts'
import type { McpPinStore } from '../store/mcp-pin-store.ts'
import { PIN_WRITE_MS, PINS_PER_WRITE } from './limits.ts'

export interface DurablePins extends ToolPins {
  /** Writes what is not written yet. Safe to call twice. */
  close(): Promise<void>
}

export interface DurablePinsDeps {
  readonly store: McpPinStore
  /** Servers write their descriptions themselves. The hash is of what they wrote. */
  readonly redact: <Value>(value: Value) => Value
  readonly warn: (message: string) => void
  readonly writeMs?: number
}

/** Pins over restarts: their hashes are read at the start, those of first sight are written behind, acceptances at once. */
export async function openDurablePins(deps: DurablePinsDeps): Promise<DurablePins> {
  const { store, writeMs = PIN_WRITE_MS } = deps
  const marks = new Map<string, Map<string, PinMark>>()
  const unwritten = new Map<string, ToolPin>()
  for (const pin of await store.list()) mark(pin)
  let timer: NodeJS.Timeout | undefined
  // An older pin that is on its way, or falls due meanwhile, must not be written over one that replaces it.
  const inTurn = oneAfterOther()

  function mark({ server, tool, ...pin }: Omit<ToolPin, 'content'>): void {
    marks.set(server, (marks.get(server) ?? new Map<string, PinMark>()).set(tool, markOf(pin)))
  }

  async function put(pins: readonly ToolPin[]): Promise<void> {
    await store.put(pins.map((pin) => ({ ...pin, content: deps.redact(pin.content) })))
    for (const pin of pins) {
      unwritten.delete(keyOf(pin))
      mark(pin)
    }
  }

  async function write(): Promise<void> {
    const waiting = [...unwritten]
    for (let at = 0; at < waiting.length; at += PINS_PER_WRITE) {
      const some = waiting.slice(at, at + PINS_PER_WRITE)
      try {
        await store.put(some.map(([, pin]) => ({ ...pin, content: deps.redact(pin.content) })))
      } catch (error) {
        // They stay among the unwritten, and count in this process.
        deps.warn(`${some.length} pins of MCP tools were not kept: ${error instanceof Error ? error.message : ''}`)
        return
      }
      // A pin that was replaced meanwhile is another one.
      for (const [key, pin] of some) if (unwritten.get(key) === pin) unwritten.delete(key)
      await betweenOthers()
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    return inTurn(write)
  }

  return {
    mark: (server, tool) => marks.get(server)?.get(tool),
    count: (server) => marks.get(server)?.size ?? 0,
    add(pins) {
      for (const pin of pins) {
        mark(pin)
        unwritten.set(keyOf(pin), pin)
      }
      timer ??= setTimeout(() => void flush(), writeMs).unref()
    },
    replace: async (pins) => (pins.length > 0 ? inTurn(() => put(pins)) : undefined),
    read: async (server, tool) => unwritten.get(keyOf({ server, tool })) ?? (await store.get(server, tool)),
    close: flush,
  }
}

function oneAfterOther(): (step: () => Promise<void>) => Promise<void> {
  let last = Promise.resolve()
  return (step) => {
    const done = last.then(step)
    last = done.catch(() => {
      // Who asked is told.
    })
    return done
  }
}

function markOf({ hash, acceptedBy }: PinMark): PinMark {
  return { hash, ...(acceptedBy !== undefined && { acceptedBy }) }
}

function keyOf({ server, tool }: Pick<ToolPin, 'server' | 'tool'>): string {
  return JSON.stringify([server, tool])
}
