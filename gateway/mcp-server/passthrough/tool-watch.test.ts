import { expect, test } from 'vitest'
import { aTool } from '../../../catalog/testing/a-tool.ts'
import { aView } from '../../../catalog/testing/a-view.ts'
import type { Tool } from '../../../catalog/tool.ts'
import { createToolWatch } from './tool-watch.ts'

const files = { source: 'mcp', owner: 'files' } as const
const caller = { tenant: 't', agent: 'default' }

function aWatch(first: readonly Tool[]) {
  let tools = first
  const watch = createToolWatch({ viewFor: () => aView([...tools]), quietMs: 0 })
  const change = async (next: readonly Tool[]): Promise<void> => {
    tools = next
    watch.look()
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return { watch, change }
}

test('who is shown other tools of its server hears of it, once; what changes elsewhere is nothing to it', async () => {
  const [read, write] = [aTool({ ...files, name: 'read' }), aTool({ ...files, name: 'write' })]
  const other = aTool({ ...files, owner: 'other', name: 'read' })
  const { watch, change } = aWatch([read])
  let heard = 0
  const stop = watch.hear({ server: 'files', caller }, () => void (heard += 1))
  await change([read, other])
  expect(heard).toBe(0)
  await change([read, write, other])
  expect(heard).toBe(1)
  await change([{ ...read }, write])
  expect(heard).toBe(1)
  stop()
  await change([])
  expect(heard).toBe(1)
})
