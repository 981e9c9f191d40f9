import { McpConnectError } from '../errors.ts'
import type { ServerJournal } from '../journal/server-journal.ts'
import type { McpTiming } from '../limits.ts'
import { DOUBTFUL_VERDICT_HOLDS_MS, TOOLS_MAX, VERDICT_HOLDS_MS } from '../limits.ts'
import type { ServerAuthorization } from '../login/server-authorization.ts'
import type { McpServerConfig } from '../server-config.ts'
import type { ServerKnowledge } from './knowledge/server-knowledge.ts'
import type { OpenClientRequest } from './session/open-client.ts'
import { endFault, openClient } from './session/open-client.ts'
import { Session } from './session/session.ts'

export interface OpenSessionDeps extends Omit<OpenClientRequest, 'verdict' | 'connectMs' | 'authorize'> {
  readonly journal: ServerJournal
  readonly authorization: ServerAuthorization | undefined
  /** Which revision and transport the server was found to speak, and its tools: read, and brought up to date. */
  readonly known: Pick<ServerKnowledge, 'verdict' | 'judge' | 'take'>
  readonly taken: () => Promise<void>
  readonly now: () => number
}

/**
 * Connects, settles what the server speaks, and takes its tools.
 * @throws {McpConnectError} or what the transport or the list failed with; nothing is left open then
 */
export async function openSession(deps: OpenSessionDeps, onDoubt: () => void, closing: AbortSignal): Promise<Session> {
  const { config, timing, now, journal, authorization, known } = deps
  if (config.fault !== undefined) throw new McpConnectError('misconfigured', config.fault)
  const connectMs = config.connectTimeoutMs ?? timing.connectMs
  const signal = AbortSignal.any([closing, AbortSignal.timeout(connectMs)])
  const before = known.verdict
  const verdict = before !== undefined && before.untilMs > now() ? before : undefined
  const startedMs = performance.now()
  // Written again below when it still holds.
  known.judge(undefined)
  authorization?.keeper.forget()
  const open = await openClient({ ...deps, verdict, connectMs, authorize: authorization?.authorize }, signal)
  const session = new Session(open, { timing, clean: journal.clean, onDoubt })
  const wasAnswered = performance.now() - startedMs < timing.probeMs
  // A probe that only timed out on a pipe says nothing: the server may have been busy starting.
  if (session.isLegacy && (verdict !== undefined || wasAnswered || open.probe !== undefined)) {
    const holdsMs = open.probe === 'unanswered' ? DOUBTFUL_VERDICT_HOLDS_MS : VERDICT_HOLDS_MS
    known.judge({ transport: open.transportKind, untilMs: verdict?.untilMs ?? now() + holdsMs })
  }
  try {
    known.take(await session.listTools(listBounds(deps), signal))
    // Who is told that the server is ready looks for its tools.
    await deps.taken()
    closing.throwIfAborted()
  } catch (error) {
    // Before the close: a process that we end did not end by itself.
    const fault = endFault(error, open.transport)
    await session.end('its tools could not be listed')
    throw fault
  }
  return session
}

export function listBounds({ config, timing }: { readonly config: McpServerConfig; readonly timing: McpTiming }) {
  return { maxTools: config.maxTools ?? TOOLS_MAX, pageMs: timing.listPageMs }
}
