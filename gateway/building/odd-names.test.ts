import { expect, test } from 'vitest'
import { fixture, until } from '../../catalog/sources/mcp/fixtures/recorded-source.ts'
import { createMcpSource } from '../../catalog/sources/mcp/mcp-source.ts'
import { buildCatalog } from './build-catalog.ts'

test('every name that a server gives keeps its exact id and a safe name of its own; look-alikes are quarantined', async () => {
  const { catalog } = buildCatalog(Date.now)
  const source = createMcpSource({
    servers: { odd: { command: process.execPath, args: [fixture('hostile-server.mjs'), '--odd-names'] } },
    log: () => {},
    now: Date.now,
    clientInfo: { name: 'drawbridge-test', version: '0.0.0' },
  })
  source.start(catalog)
  try {
    await until(() => source.status()[0]?.state.kind === 'ready')
    const { tools, byId } = catalog.snapshot()
    const short = ['a.b', 'a/b', 'a b', 'Echo', 'echo', 'read-file', 'read_file', 'constructor', 'größe']
    const names = ['x'.repeat(100), ...short]
    expect(tools.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
    const safe = tools.map(({ safeName }) => safeName)
    expect(new Set(safe.map((name) => name.toLowerCase())).size).toBe(names.length)
    expect(safe.every((name) => /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(name))).toBe(true)
    const quarantined = catalog.quarantined().map(({ name }) => name)
    expect(quarantined).toEqual(['\u0435cho', '\uff52ead', 'zero\u200bwidth'])

    const caller = { tenant: 'default', agent: 'default' }
    const context = { callId: 'call-1', caller, signal: new AbortController().signal }
    for (const name of names) {
      const answered = await byId.get(`mcp:odd:${name}`)?.execute?.({}, context)
      expect(answered?.content).toEqual([{ type: 'text', text: name }])
    }
  } finally {
    await source.close()
  }
})
