import { expect, test } from 'vitest'
import type { Caller } from '../../catalog/caller.ts'
import type { ToolResult } from '../../catalog/tool.ts'
import type { NewArtifact } from '../artifacts.ts'
import { createKeepBlocks } from './keep-blocks.ts'

const caller: Caller = { tenant: 'acme', agent: 'default' }
const data = Buffer.from('pixels').toString('base64')

function aKeeper(fails = false) {
  const kept: (readonly [tenant: string, NewArtifact])[] = []
  const warnings: string[] = []
  const keep = createKeepBlocks({
    artifacts: {
      put: async ({ tenant }, artifact) => {
        if (fails) throw new Error('the disk is full')
        kept.push([tenant, artifact])
        return { id: `art_${kept.length}`, bytes: 6, mimeType: artifact.mimeType, preview: '' }
      },
    },
    warn: (message) => warnings.push(message),
  })
  return { keep, kept, warnings }
}

test('images, sound and binary resources are kept for their tenant, each under a handle; text is not', async () => {
  const { keep, kept } = aKeeper()
  const { content } = await keep(
    {
      content: [
        { type: 'text', text: 'a chart' },
        { type: 'image', data, mimeType: 'image/png' },
        { type: 'audio', data, mimeType: 'audio/wav; rate=8000' },
        { type: 'resource', resource: { uri: 'file:///a.bin', blob: data } },
        { type: 'resource', resource: { uri: 'file:///a.txt', text: 'hello' } },
        { type: 'resource_link', uri: 'file:///b' },
      ],
    },
    caller,
  )
  expect(content.map((block) => ('artifact' in block ? block.artifact : undefined))).toEqual([
    undefined,
    'art_1',
    'art_2',
    'art_3',
    undefined,
    undefined,
  ])
  expect(kept.map(([tenant, { mimeType }]) => [tenant, mimeType])).toEqual([
    ['acme', 'image/png'],
    ['acme', 'audio/wav'],
    ['acme', 'application/octet-stream'],
  ])
  expect(kept.every(([, artifact]) => 'bytes' in artifact && Buffer.from(artifact.bytes).toString() === 'pixels')).toBe(
    true,
  )
})

test('a type that is none becomes that of plain bytes', async () => {
  const { keep, kept } = aKeeper()
  await keep({ content: [{ type: 'image', data, mimeType: 'text/html\r\nset-cookie: a=b' }] }, caller)
  await keep({ content: [{ type: 'image', data, mimeType: 'nonsense' }] }, caller)
  expect(kept.map(([, { mimeType }]) => mimeType)).toEqual(['application/octet-stream', 'application/octet-stream'])
})

test('what cannot be kept is told of, and the rest of the result stays', async () => {
  const { keep, warnings } = aKeeper(true)
  const result: ToolResult = { content: [{ type: 'image', data, mimeType: 'image/png' }] }
  expect(await keep(result, caller)).toEqual(result)
  expect(warnings).toEqual(['a part of a result was not kept'])
})
