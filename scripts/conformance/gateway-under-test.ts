import { makeToken } from '../../gateway/state/tokens/make-token.ts'
import { serveInFolder } from '../hosting/serve-in-folder.ts'

export interface GatewayUnderTest {
  readonly url: string
  readonly token: string
  close(): Promise<void>
}

/** `mcp` of the configuration. */
type McpSection = { readonly servers: object; readonly [key: string]: unknown }

const READY_BUDGET_MS = 60_000
const READY_LOOK_MS = 50

/** A whole gateway on a free port with nothing but these servers behind it. */
export async function startGatewayUnderTest(mcp: McpSection): Promise<GatewayUnderTest> {
  const config = {
    mcp,
    tools: { toolSearch: false },
    plugins: { entries: { demo: { enabled: false } } },
  }
  const served = await serveInFolder('conformance', config)
  const made = makeToken({ name: 'conformance', scopes: ['tools'], tenant: 'conformance' }, Date.now())
  await served.gateway.store.putToken(made.record)
  await toolsAreThere(() => served.gateway.catalog.statuses())
  return {
    url: served.url,
    token: made.token,
    close: () => served.close(),
  }
}

type Statuses = () => readonly { readonly state: { readonly kind: string } }[]

async function toolsAreThere(statuses: Statuses): Promise<void> {
  const deadlineMs = performance.now() + READY_BUDGET_MS
  while (!statuses().every(({ state }) => state.kind === 'ready')) {
    if (performance.now() > deadlineMs) throw new Error(`a server did not come up: ${JSON.stringify(statuses())}`)
    await new Promise((resolve) => setTimeout(resolve, READY_LOOK_MS))
  }
}
