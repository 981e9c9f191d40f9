import type { PinnedContent } from './pinned-content.ts'

/** What a tool of a server was when it was taken to be right. */
export interface ToolPin {
  readonly server: string
  readonly tool: string
  /** Of `contentHash`. */
  readonly hash: string
  readonly content: PinnedContent
  /** Unix milliseconds. */
  readonly pinnedMs: number
  /** Who let it through; absent where it was pinned when it was first seen. */
  readonly acceptedBy?: string
}

export type PinMark = Pick<ToolPin, 'hash' | 'acceptedBy'>

/** Pins of the installation, of no tenant; a tool that goes keeps its pin. */
export interface ToolPins {
  mark(server: string, tool: string): PinMark | undefined
  /** Tools of a server that are pinned. */
  count(server: string): number
  /** Pins what was not seen before; kept soon. */
  add(pins: readonly ToolPin[]): void
  /** Puts these in the place of the pins that stand; kept when it resolves. */
  replace(pins: readonly ToolPin[]): Promise<void>
  /** What was pinned. */
  read(server: string, tool: string): Promise<ToolPin | undefined>
}

/** Pins that end with the process. */
export function createToolPins(): ToolPins {
  const servers = new Map<string, Map<string, ToolPin>>()
  const add = (pins: readonly ToolPin[]): void => {
    for (const pin of pins) {
      const tools = servers.get(pin.server) ?? new Map<string, ToolPin>()
      servers.set(pin.server, tools.set(pin.tool, pin))
    }
  }
  return {
    mark(server, tool) {
      const pin = servers.get(server)?.get(tool)
      return pin && { hash: pin.hash, ...(pin.acceptedBy !== undefined && { acceptedBy: pin.acceptedBy }) }
    },
    count: (server) => servers.get(server)?.size ?? 0,
    add,
    replace: async (pins) => add(pins),
    read: async (server, tool) => servers.get(server)?.get(tool),
  }
}
