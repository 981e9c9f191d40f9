import { startGateway } from '../../compare/gateway-process.ts'
import { packageVersion } from '../../../gateway/version.ts'
import type { StartedEngine } from './contender.ts'
import { postJson } from './post-json.ts'

/** A gateway of this checkout with its defaults, and the tool server as its one MCP server. */
export async function startDrawbridge(folder: string, toolServer: string): Promise<StartedEngine> {
  const config = {
    mcp: { servers: { bench: { url: `${toolServer}/mcp` } } },
    plugins: { entries: { demo: { enabled: false } } },
  }
  const gateway = await startGateway({ folder, config })
  return {
    contenders: [
      {
        engine: 'drawbridge',
        version: packageVersion(),
        tool: 'mcp-http',
        programs: PROGRAMS,
        execute: async (code) => readValue(await postJson(`${gateway.url}/v1/runs`, gateway.token, { code })),
      },
    ],
    stop: () => gateway.stop(),
  }
}

const PROGRAMS = {
  'return-1': 'return 1',
  search: `const hits = await tools.search('echo a text', { limit: 5 })
return hits[0].name`,
  'one-call': `return await tools.call('mcp:bench:echo', { text: 'hello' })`,
  'twenty-calls': `let said
for (let i = 0; i < 20; i++) said = await tools.call('mcp:bench:echo', { text: 'hello ' + i })
return said`,
} as const

/** The value of a run. */
function readValue(run: object): unknown {
  if ('status' in run && run.status === 'completed' && 'value' in run) return run.value
  throw new Error(`the run did not complete: ${JSON.stringify(run).slice(0, 400)}`)
}
