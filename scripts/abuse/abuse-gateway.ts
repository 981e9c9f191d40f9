import path from 'node:path'
import type { Run } from '../../bridge/run.ts'
import { makeToken } from '../../gateway/state/tokens/make-token.ts'
import { serveInFolder } from '../hosting/serve-in-folder.ts'

export interface AbuseGateway {
  /** Wall clock of a run, in milliseconds. */
  readonly wallMs: number
  /** Runs a program as the tenant that is attacked from. */
  run(code: string): Promise<Run>
  /** True when the gateway answers a health check in time and another tenant's program completes. */
  isWell(): Promise<boolean>
  close(): Promise<void>
}

const WALL_MS = 2_000
const HEALTH_WAIT_MS = 1_000
const NEIGHBOUR_CODE = `
const sums = []
for (let n = 0; n < 5; n += 1) sums.push((await tools.call('plugin:math:add', { a: n, b: 1 })).sum)
return sums`

/** A whole gateway on a free port, with the small catalog that the programs assume and two tenants. */
export async function startAbuseGateway(): Promise<AbuseGateway> {
  const plugins = path.join(import.meta.dirname, 'attack-plugins')
  const config = {
    tools: { toolSearch: { mode: 'code', codeTimeoutMs: WALL_MS }, deny: ['plugin:admin:*', 'plugin:vault:*'] },
    sandbox: { cpuMs: 1_000 },
    plugins: { paths: [plugins], entries: { demo: { enabled: false } } },
  }
  const served = await serveInFolder('abuse', config)
  const scopes = ['chat', 'tools'] as const
  const [attacker, neighbour] = ['attacker', 'neighbour'].map((name) =>
    makeToken({ name, scopes, tenant: name }, Date.now()),
  )
  if (attacker === undefined || neighbour === undefined) throw new Error('no tokens were made')
  await served.gateway.store.putToken(attacker.record)
  await served.gateway.store.putToken(neighbour.record)
  return {
    wallMs: WALL_MS,
    run: (code) => postRun(served.url, attacker.token, code),
    isWell: () => isWell(served.url, neighbour.token),
    close: () => served.close(),
  }
}

async function postRun(url: string, token: string, code: string): Promise<Run> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}/v1/runs`, { method: 'POST', headers, body: JSON.stringify({ code }) })
  const text = await response.text()
  if (!response.ok) throw new Error(`the gateway answered ${response.status}: ${text.slice(0, 500)}`)
  return JSON.parse(text)
}

async function isWell(url: string, token: string): Promise<boolean> {
  try {
    const [health, run] = await Promise.all([
      fetch(`${url}/healthz`, { signal: AbortSignal.timeout(HEALTH_WAIT_MS) }),
      postRun(url, token, NEIGHBOUR_CODE),
    ])
    return health.ok && run.status === 'completed' && JSON.stringify(run.value) === '[1,2,3,4,5]'
  } catch {
    // Late, refused or broken off: not well, whatever the reason.
    return false
  }
}
