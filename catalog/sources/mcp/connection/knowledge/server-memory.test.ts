import { expect, test } from 'vitest'
import { ToolUnavailable } from '../../../../tool.ts'
import { byHand, serveHttp } from '../../fixtures/http-servers.ts'
import { hostile, startSource, statusOf, until } from '../../fixtures/recorded-source.ts'
import { VERDICT_HOLDS_MS } from '../../limits.ts'
import type { ServerRecord } from './server-memory.ts'
import { createServerMemory, serverIdentity } from './server-memory.ts'

const SLOW = { backoffFirstMs: 60_000, backoffMaxMs: 60_000 }

test('tools of the last connection are there from the start, and say that their server is not', async () => {
  const memory = createServerMemory()
  const gone = hostile('--fail-at-start')
  const first = startSource({ servers: { files: hostile('3') }, memory })
  await first.ready('files')
  await first.source.close()
  const { list } = memory.read('files') ?? {}
  // The same server as far as anybody knows, which does not come up this time.
  memory.write('files', { identity: serverIdentity(gone), ...(list && { list }) })
  await using second = startSource({ servers: { files: gone }, memory, timing: SLOW })
  expect(second.tools('files').map(({ name }) => name)).toEqual(['flood-0', 'flood-1', 'flood-2'])
  const early = second.call('files', 'flood-0')
  await expect(early).rejects.toBeInstanceOf(ToolUnavailable)
  await expect(early).rejects.toThrow('MCP server "files" is still connecting; nothing was run')
  await until(() => statusOf(second.source, 'files')?.state.kind === 'down')
  expect(statusOf(second.source, 'files')?.toolCount).toBe(3)
  await expect(second.call('files', 'flood-0')).rejects.toThrow('is down: the server exited')
})

test('a server that comes back as it was changes nothing, one that changed is read anew', async () => {
  const memory = createServerMemory()
  const servers = { files: hostile('3') }
  const first = startSource({ servers, memory })
  await first.ready('files')
  await first.source.close()
  await using second = startSource({ servers, memory })
  await second.ready('files')
  expect(second.setCount('files')).toBe(1)
  const known = memory.read('files')
  const old: ServerRecord = { ...known, identity: known?.identity ?? '', list: { ...NOTHING, hiddenCount: 7 } }
  memory.write('files', old)
  await using third = startSource({ servers, memory })
  await third.ready('files')
  expect(third.tools('files')).toHaveLength(3)
  expect(memory.read('files')?.list?.definitions).toHaveLength(3)
})

const NOTHING = { definitions: [], hiddenCount: 0, problems: [], problemCount: 0 }

test('the version of an older server is asked for once, also over restarts', async () => {
  const memory = createServerMemory()
  const servers = { old: hostile('--exit-on-probe') }
  const first = startSource({ servers, memory })
  await first.ready('old')
  await first.source.close()
  expect(memory.read('old')?.verdict).toMatchObject({ transport: 'stdio' })
  await using second = startSource({ servers, memory })
  await second.ready('old')
  // A probe would have ended the process, and the second start would have been seen.
  expect(second.log.filter(({ message }) => message.includes('exited'))).toEqual([])
  expect(Number(await second.text('old', 'list-count'))).toBe(1)
})

test('a server that never answers the version probe is waited for once, not again after a restart', async () => {
  const memory = createServerMemory()
  const servers = { old: hostile('--silent-on-probe') }
  const first = startSource({ servers, memory, timing: { probeMs: 100 } })
  await first.ready('old')
  await first.source.close()
  await using second = startSource({ servers, memory, timing: { connectMs: 600_000, probeMs: 600_000 } })
  await second.ready('old')
  expect(memory.read('old')?.verdict).toMatchObject({ transport: 'stdio' })
})

test('one that never answers it over HTTP is asked again after a while only', async () => {
  const memory = createServerMemory()
  const calm = byHand((_id, _request, response) => void response.writeHead(500).end())
  let probes = 0
  await using server = await serveHttp((request, response) => {
    if (request.headers['mcp-method'] === 'server/discover') probes += 1
    else calm(request, response)
  })
  const servers = { old: { url: server.url } }
  const first = startSource({ servers, memory, timing: { probeMs: 100 } })
  await first.ready('old')
  await first.source.close()
  // On a busy machine it may have taken more than one attempt.
  const asked = probes
  expect(asked).toBeGreaterThan(0)
  await using second = startSource({ servers, memory, timing: { connectMs: 600_000, probeMs: 600_000 } })
  await second.ready('old')
  expect(probes).toBe(asked)
  expect(memory.read('old')?.verdict?.untilMs).toBeLessThan(Date.now() + VERDICT_HOLDS_MS / 2)
})

test('a server that only starts slowly is asked for its version again', async () => {
  const memory = createServerMemory()
  const late = `
    const answers = {
      initialize: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'late', version: '1' } },
      'tools/list': { tools: [] },
    }
    const begin = () => require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line)
      const end = answers[method] ? { result: answers[method] } : { error: { code: -32601, message: 'no' } }
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...end }))
    })
    setTimeout(begin, 300)`
  const servers = { late: { command: process.execPath, args: ['-e', late] } }
  await using recorded = startSource({ servers, memory, timing: { probeMs: 100 } })
  await recorded.ready('late')
  expect(memory.read('late')?.verdict).toBeUndefined()
})

test('what is known of a server says nothing about another that gets its name', async () => {
  const memory = createServerMemory()
  await using recorded = startSource({ servers: { files: hostile('3') }, memory })
  await recorded.ready('files')
  recorded.source.update({ files: hostile('--mute') })
  expect(recorded.tools('files')).toEqual([])
  recorded.source.update({})
  expect(memory.read('files')).toBeUndefined()
})

test('new secrets and limits are no other server, a new command or address is', () => {
  const files = { command: 'npx', args: ['a'] }
  const same = { ...files, env: { KEY: 'x' }, timeoutMs: 5 }
  expect(serverIdentity(same)).toBe(serverIdentity(files))
  expect(serverIdentity({ ...files, args: ['b'] })).not.toBe(serverIdentity(files))
  const url = { url: 'https://x.test/mcp' }
  expect(serverIdentity({ ...url, headers: { a: 'b' } })).toBe(serverIdentity(url))
  expect(serverIdentity({ url: 'https://y.test/mcp' })).not.toBe(serverIdentity(url))
})
