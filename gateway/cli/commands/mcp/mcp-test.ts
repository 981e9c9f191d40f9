import { setTimeout as sleep } from 'node:timers/promises'
import type { McpServerStatus } from '../../../../catalog/sources/mcp/connection/server-status.ts'
import type { McpSource } from '../../../../catalog/sources/mcp/mcp-source.ts'
import { createMcpSource } from '../../../../catalog/sources/mcp/mcp-source.ts'
import type { Catalog } from '../../../../catalog/catalog.ts'
import { buildCatalog } from '../../../building/build-catalog.ts'
import { CliFailure } from '../../cli-failure.ts'
import { DESCRIPTION_CHARS, SERVER_WAIT_MS, SOURCES_LOOK_MS } from '../../limits.ts'
import type { ConfiguredServer } from '../../mcp-desk.ts'
import { loadServer, openLoginVault } from '../../mcp-desk.ts'
import type { Output } from '../../output.ts'
import { createOutput, harmless, oneLine } from '../../output.ts'
import type { Asked, ConfigFlags } from '../config/config-flags.ts'

export interface TestFlags extends ConfigFlags {
  readonly timeout?: number
}

interface TestRequest extends Asked<TestFlags> {
  readonly name: string
}

/** Connects as the gateway would, with a process and a session of its own. */
export async function testServer(request: TestRequest): Promise<void> {
  const { name, flags, deps } = request
  const output = createOutput(deps)
  const server = await loadServer(name, request)
  const { catalog } = buildCatalog(deps.now)
  const source = createMcpSource({
    servers: { [name]: server.config },
    log: ({ level, message, stream }) => {
      if (stream !== undefined || level === 'warn') output.note(oneLine(message, 2 * DESCRIPTION_CHARS))
    },
    now: deps.now,
    clientInfo: { name: 'drawbridge', version: deps.version },
    forbiddenAddresses: server.mcp.forbiddenAddresses,
    maxMessageBytes: server.mcp.maxMessageBytes,
    logins: await openLoginVault(flags.stateDir, deps),
  })
  const startedMs = performance.now()
  source.start(catalog)
  try {
    const status = await settled(source, flags.timeout ?? waitOf(server))
    report({ status, ms: Math.round(performance.now() - startedMs), catalog }, { output, isJson: !!flags.json })
  } finally {
    await Promise.race([source.close(), sleep(SERVER_WAIT_MS, undefined, { ref: false })])
  }
}

function waitOf({ config }: ConfiguredServer): number {
  return config.connectTimeoutMs ?? SERVER_WAIT_MS
}

/** Until it is connected, or down for the first time. */
async function settled(source: McpSource, waitMs: number): Promise<McpServerStatus> {
  const until = performance.now() + waitMs
  for (;;) {
    const [status] = source.status()
    if (status === undefined) throw new TypeError('a server that was given is there')
    if (status.state.kind !== 'connecting' || performance.now() >= until) return status
    await sleep(SOURCES_LOOK_MS)
  }
}

interface Tested {
  readonly status: McpServerStatus
  readonly ms: number
  readonly catalog: Catalog
}

function report({ status, ms, catalog }: Tested, to: { readonly output: Output; readonly isJson: boolean }): void {
  const { output, isJson } = to
  const { tools } = catalog.snapshot()
  const quarantined = catalog.quarantined().map(({ name, reason }) => ({ name, reason }))
  const { server, state, problems, hiddenToolCount } = status
  if (isJson) {
    const shown = JSON.parse(JSON.stringify({ ...status, ms, tools: tools.map(({ name }) => name), quarantined }))
    output.json({ ok: state.kind === 'ready', ...shown })
  } else if (state.kind === 'ready') {
    for (const tool of tools) {
      output.line(output.bold(harmless(tool.name)))
      const description = oneLine(tool.description, DESCRIPTION_CHARS)
      if (description !== '') output.line(`    ${description}`)
    }
    for (const problem of problems) output.note(`problem: ${harmless(problem)}`)
    for (const { name, reason } of quarantined) output.note(`quarantined ${harmless(name)}: ${harmless(reason)}`)
    const hidden = hiddenToolCount === 0 ? '' : `, ${hiddenToolCount} for user interfaces alone`
    output.note(
      `${server} is ready: ${tools.length} tools${hidden}, ${status.protocolVersion} over ${status.transport}, ${ms} ms`,
    )
  }
  if (state.kind === 'down') throw new CliFailure(1, `${server}: ${state.reason}`)
  if (state.kind === 'connecting') throw new CliFailure(1, `${server} did not answer within ${ms} ms`)
}
