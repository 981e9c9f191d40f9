import type { ModelResult } from '../../../bridge/presentation/presentation.ts'
import { createDirectPresentation } from '../../../bridge/presentation/direct.ts'
import { aTool } from '../../../catalog/testing/a-tool.ts'
import type { Authenticated } from '../../auth/authenticate.ts'
import type { PresentRequest } from '../../presenting/presenter.ts'
import { createSearchMemories } from '../answering/search-memories.ts'
import { createHeldCalls } from '../approving/held-calls.ts'
import type { AgentServerDeps } from '../serving/create-agent-server.ts'
import { aView } from '../../../catalog/testing/a-view.ts'

/** Who calls in these tests. */
export const AUTHENTICATED: Authenticated = {
  token: { id: 'tok_1', tenant: 'default', name: 'test', hash: '', scopes: ['tools'], createdMs: 0 },
  caller: { tenant: 'default', agent: 'default', token: 'tok_1' },
}

/** `_meta` of a client of the 2026-07-28 revision that can do nothing besides. */
export const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
} as const

/** What a call of the one tool comes to. */
export type Make = (request: PresentRequest, signal: AbortSignal) => Promise<ModelResult>

/** Of a server whose client sees one tool, `default__echo`, directly; nothing waits there, unless `own` says so. */
export function serverDeps(
  make: Make,
  own: Partial<AgentServerDeps> & Pick<AgentServerDeps, 'entryOf'>,
): AgentServerDeps {
  const view = aView([aTool({ name: 'echo' })])
  const hold = {
    begin: () => Promise.reject(new Error('nothing waits')),
    end: async () => {},
    parked: new AbortController().signal,
    reachesClient: false,
  }
  return {
    onDefect: () => {},
    presenter: {
      present(request) {
        const createSurface = (): never => {
          throw new Error('made below')
        }
        const direct = createDirectPresentation({ view, createSurface, callText: () => '' })
        const handle = (_call: unknown, signal: AbortSignal): Promise<ModelResult> => make(request, signal)
        const figures = { catalogSize: 1, sources: {}, directTools: 1, directBytes: 0 }
        return { presentation: { ...direct, handle }, view, figures }
      },
    },
    viewFor: () => view,
    modeOf: () => 'direct',
    memories: createSearchMemories(),
    held: createHeldCalls(() => 0),
    parkedCalls: {
      remember: async () => {},
      find: async () => undefined,
      isEmpty: async () => true,
      forget: async () => {},
    },
    mayDecide: () => false,
    decide: async () => [],
    getApproval: async () => undefined,
    hold: () => ({ hold, park: () => {}, finish: async (settled) => settled, release: () => {} }),
    holdMs: () => 60_000,
    questionMs: () => 60_000,
    redact: (text) => text,
    onError: () => {},
    now: () => 0,
    getRun: async () => undefined,
    callEnd: async () => undefined,
    runText: () => '',
    extensions: [],
    version: '1.2.3',
    ...own,
  }
}
