import path from 'node:path'
import { startGatewayUnderTest } from './gateway-under-test.ts'
import type { Side } from './run-side.ts'
import { startProcess } from './start-process.ts'
import { startTokenProxy } from './token-proxy.ts'

/**
 * Everything that the suite meets. `server` is `/mcp`: of a gateway that is one server there (`mcp.endpoint.server`), and,
 * for what needs no more, of one that shows all of its servers.
 */
export interface Grounds {
  readonly sides: readonly Side[]
  close(): Promise<void>
}

/**
 * What `/mcp` with all servers has to pass, too. The others ask for resources and prompts under names without a server,
 * or for what one server alone asks or tells its client in the middle of a call.
 */
const OWN: ReadonlySet<string> = new Set([
  'server-initialize',
  'ping',
  'completion-complete',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-error',
  'tools-call-with-progress',
  'server-sse-multiple-streams',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
  'sep-2164-resource-not-found',
  'caching',
  'input-required-result-unsupported-methods',
])
const SERVER = path.join(import.meta.dirname, 'server/suite-server.ts')
const CLIENTS = path.join(import.meta.dirname, 'client/client-host.ts')
const CLIENT = path.join(import.meta.dirname, 'client/client-under-test.mjs')

export async function startGrounds(): Promise<Grounds> {
  // Each in a process of its own, as any server behind a gateway is.
  const [suiteServer, clients] = await Promise.all([startProcess(SERVER), startProcess(CLIENTS)])
  const servers = { suite: { url: suiteServer.address } }
  const [gateway, ofOne] = await Promise.all([
    startGatewayUnderTest({ servers, passthrough: ['resources', 'prompts'] }),
    startGatewayUnderTest({ servers, endpoint: { server: 'suite' } }),
  ])
  const [through, alone, own] = await Promise.all([
    startTokenProxy(`${gateway.url}/mcp/servers/suite`, gateway.token),
    startTokenProxy(`${ofOne.url}/mcp`, ofOne.token),
    startTokenProxy(`${gateway.url}/mcp`, gateway.token),
  ])
  return {
    sides: [
      {
        side: 'client',
        leg: 'client',
        grounds: [
          {
            // The suite starts it by a shell, which splits at spaces and cannot be told better.
            target: ['--command', `"${process.execPath}" "${CLIENT}" ${clients.address}`],
          },
        ],
      },
      { side: 'through', leg: 'server', grounds: [{ target: ['--url', through.url] }] },
      {
        side: 'server',
        leg: 'server',
        grounds: [{ target: ['--url', alone.url] }, { target: ['--url', own.url], isFor: (name) => OWN.has(name) }],
      },
    ],
    async close() {
      await Promise.all([through, alone, own].map((proxy) => proxy.close()))
      await Promise.all([gateway.close(), ofOne.close()])
      await Promise.all([suiteServer, clients].map((each) => each.close()))
    },
  }
}
