import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { configPaths } from '../../gateway/config/config-paths.ts'
import { loadConfig } from '../../gateway/config/load-config.ts'
import { serve } from '../../gateway/serving/serve.ts'
import { makeToken } from '../../gateway/state/make-token.ts'
import { packageVersion } from '../../gateway/version.ts'

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
  const folder = await mkdtemp(path.join(os.tmpdir(), 'drawbridge-conformance-'))
  const configFile = path.join(folder, 'drawbridge.json5')
  const config = {
    gateway: { port: 0 },
    mcp,
    tools: { toolSearch: false },
    plugins: { entries: { demo: { enabled: false } } },
  }
  await writeFile(configFile, JSON.stringify(config))
  const paths = configPaths({ cwd: folder, env: {}, stateDirectory: folder, configFile })
  const loaded = await loadConfig(paths, {})
  if (loaded.kind === 'invalid') throw new Error(`the configuration is invalid: ${JSON.stringify(loaded.problems)}`)
  const served = await serve({
    config: loaded,
    configFile,
    paths,
    importModule: (url) => import(url),
    stderr: { write: () => true },
    version: packageVersion(),
  })
  const made = makeToken({ name: 'conformance', scopes: ['tools'], tenant: 'conformance' }, Date.now())
  await served.gateway.store.putToken(made.record)
  await toolsAreThere(() => served.gateway.catalog.statuses())
  return {
    url: served.url,
    token: made.token,
    async close() {
      await served.close()
      await rm(folder, { recursive: true, force: true })
    },
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
