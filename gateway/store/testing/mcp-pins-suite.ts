import { expect, test } from 'vitest'
import type { ToolPin } from '../../../catalog/sources/mcp/trust/pins/tool-pins.ts'
import type { Store } from '../store.ts'

/** What every store must do with pins of MCP tools. */
export function describeMcpPins(store: () => Store): void {
  test('a pin is kept under its server and tool with all that was pinned, and replaced by the next', async () => {
    const pins = [aPin({ tool: 'read' }), aPin({ tool: "o'hara \u202e" }), aPin({ server: 'mail', tool: 'read' })]
    await store().mcpPins.put(pins)
    await store().mcpPins.put([{ ...aPin({ tool: 'read' }), hash: 'h2', acceptedBy: 'tok_1' }])
    expect(await store().mcpPins.get('files', 'read')).toEqual({
      ...aPin({ tool: 'read' }),
      hash: 'h2',
      acceptedBy: 'tok_1',
    })
    expect(await store().mcpPins.get('files', "o'hara \u202e")).toEqual(pins[1])
    expect(await store().mcpPins.get('files', 'never-there')).toBeUndefined()
    expect((await store().mcpPins.list()).map(({ server, tool, hash }) => [server, tool, hash])).toEqual([
      ['files', "o'hara \u202e", 'h1'],
      ['files', 'read', 'h2'],
      ['mail', 'read', 'h1'],
    ])
  })
  test('of pins of which one is too large none is kept', async () => {
    const large = aPin({
      server: 'large',
      tool: 'b',
      content: { description: 'x'.repeat(40 * 1024 * 1024), inputSchema: {} },
    })
    const refused = store().mcpPins.put([aPin({ server: 'large', tool: 'a' }), large])
    await expect(refused).rejects.toMatchObject({ name: 'StoreError', code: 'row-too-large' })
    expect(await store().mcpPins.get('large', 'a')).toBeUndefined()
  })
}

function aPin(given: Partial<ToolPin>): ToolPin {
  const content = { description: 'reads "it"', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }
  return { server: 'files', tool: 'read', hash: 'h1', content, pinnedMs: 7, ...given }
}
