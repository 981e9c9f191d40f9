import path from 'node:path'
import { startGatewayUnderTest } from './gateway-under-test.ts'
import type { Side } from './run-side.ts'
import { startSuiteServer } from './start-suite-server.ts'
import { startTokenProxy } from './token-proxy.ts'

/** Everything that the suite meets. */
export interface Grounds {
  readonly sides: readonly Side[]
  close(): Promise<void>
}

const COMPILE_CACHE = path.resolve(import.meta.dirname, '../../node_modules/.cache/conformance')
const CLIENT = path.join(import.meta.dirname, 'client/client-under-test.ts')

export async function startGrounds(): Promise<Grounds> {
  const suiteServer = await startSuiteServer()
  const gateway = await startGatewayUnderTest({ suite: { url: suiteServer.url } })
  const through = await startTokenProxy(`${gateway.url}/mcp/servers/suite`, gateway.token)
  return {
    sides: [
      { side: 'through', leg: 'server', target: ['--url', through.url] },
      // The suite starts it by a shell, which splits at spaces and cannot be told better.
      {
        side: 'client',
        leg: 'client',
        target: ['--command', `"${process.execPath}" "${CLIENT}"`],
        // Fifty processes of the same code: read once, they start in half the time.
        env: { NODE_COMPILE_CACHE: COMPILE_CACHE },
      },
    ],
    async close() {
      await through.close()
      await gateway.close()
      await suiteServer.close()
    },
  }
}
