import { expect, test } from 'vitest'
import type { Store } from '../store.ts'

/** What every store must do with what is known of MCP servers. */
export function describeMcpServers(store: () => Store): void {
  test('what is known of an MCP server is kept whole under its name, replaced, and removed', async () => {
    const definition = { name: 'echo', description: 'says "it" again', inputSchema: { type: 'object' } }
    const list = { definitions: [definition], hiddenCount: 1, problems: ['one'], problemCount: 2 }
    const record = { identity: 'i1', verdict: { transport: 'sse', untilMs: 7 }, list } as const
    await store().mcpServers.put({ server: 'files', record })
    await store().mcpServers.put({ server: 'mail', record: { identity: 'old' } })
    await store().mcpServers.put({ server: 'mail', record: { identity: 'new' } })
    expect(await store().mcpServers.list()).toEqual([
      { server: 'files', record },
      { server: 'mail', record: { identity: 'new' } },
    ])
    await store().mcpServers.remove('mail')
    await store().mcpServers.remove('never-there')
    expect((await store().mcpServers.list()).map(({ server }) => server)).toEqual(['files'])
  })
}
