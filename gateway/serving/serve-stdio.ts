import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Readable, Writable } from 'node:stream'
import type { McpServeOptions } from '../cli/cli-deps.ts'
import { configPaths } from '../config/config-paths.ts'
import { MCP_BODY_MAX_BYTES } from '../mcp-server/limits.ts'
import { createGatewayLink } from '../mcp-server/stdio/gateway-link.ts'
import { readLines } from '../mcp-server/stdio/read-lines.ts'
import { withPlainLineEnds } from '../../catalog/line-ends.ts'
import { createStdioBridge } from '../mcp-server/stdio/stdio-bridge.ts'
import { DRAIN_MS } from './limits.ts'
import type { FoundGateway } from './find-or-start.ts'
import { findOrStart } from './find-or-start.ts'
import type { ServeIo } from './serve-until-stopped.ts'
import { listenForStop } from './stop-signal.ts'

export interface StdioIo extends Omit<ServeIo, 'stdout' | 'command' | 'isTerminal'> {
  readonly input: Readable
  /** Carries the protocol and nothing else. */
  readonly output: Writable
  readonly fetch: typeof fetch
}

/**
 * Serves one MCP client on stdio until it closes its end, or a signal. Exit code: 0 then, 1 when no gateway runs and
 * none can be started.
 */
export async function serveStdio(options: McpServeOptions, io: StdioIo): Promise<number> {
  const stop = listenForStop({ on: (signal, listener) => process.on(signal, listener), nowMs: () => performance.now() })
  const { stateDirectory, configFile } = options
  const place = { cwd: io.cwd, env: io.env, stateDirectory }
  const paths = configPaths({ ...place, ...(configFile !== undefined && { configFile }) })
  const gateway = findOrStart({ ...io, paths, stderr: { write: io.stderr } })
  try {
    // At once: who made a mistake in the configuration is told by the command, not by every call.
    await gateway.find()
  } catch (error) {
    io.stderr(`error: ${error instanceof Error ? error.message : String(error)}\n`)
    await gateway.close()
    return 1
  }
  await bridge(gateway, options, { ...io, stopped: Promise.race([stop.asked, stop.insisted]) })
  return 0
}

interface Bridging extends StdioIo {
  readonly stopped: Promise<void>
}

async function bridge(gateway: FoundGateway, options: McpServeOptions, io: Bridging): Promise<void> {
  const stdio = createStdioBridge({
    link: createGatewayLink({ ...gateway, fetch: io.fetch, headers: options.headers }),
    write: (message) => writeLine(io.output, message),
    note: (text) => io.stderr(`drawbridge: ${text}\n`),
  })
  const reading = readLines(io.input, {
    maxBytes: MCP_BODY_MAX_BYTES,
    onLine: (line) => stdio.take(line),
    onTooLong: (bytes, id) =>
      stdio.refuse(id, `a line of ${bytes} bytes is too long and was dropped; ${MCP_BODY_MAX_BYTES} are read`),
  })
  const ended = reading.then(() => Promise.race([stdio.drained(), pause(DRAIN_MS)]))
  await Promise.race([ended, once(io.output, 'close'), io.stopped])
  await stdio.close()
  await gateway.close()
}

async function writeLine(output: Writable, message: string): Promise<void> {
  if (output.writable && !output.write(`${withPlainLineEnds(message)}\n`))
    await Promise.race([once(output, 'drain'), once(output, 'close')])
}
