import { expect, test } from 'vitest'
import type { Caller } from '../../catalog/caller.ts'
import type { ToolResult } from '../../catalog/tool.ts'
import type { NewArtifact } from '../artifacts.ts'
import { KEPT_BLOCKS_MAX } from '../limits.ts'
import { artifactsOf, createKeepBlocks } from './keep-blocks.ts'

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

test('what a link leads to is kept, as text or as bytes; a link that leads nowhere has no handle', async () => {
  const { keep, kept } = aKeeper()
  const { content } = await keep(
    {
      content: [
        { type: 'resource_link', uri: 'file:///a.md', linked: { text: 'long text', mimeType: 'text/markdown' } },
        { type: 'resource_link', uri: 'file:///a.png', mimeType: 'image/png', linked: { blob: data } },
        { type: 'resource_link', uri: 'file:///gone' },
      ],
    },
    caller,
  )
  expect(kept.map(([, artifact]) => artifact)).toEqual([
    { text: 'long text', mimeType: 'text/markdown' },
    { bytes: Buffer.from('pixels'), mimeType: 'image/png' },
  ])
  expect(content.map((block) => ('artifact' in block ? block.artifact : undefined))).toEqual([
    'art_1',
    'art_2',
    undefined,
  ])
  expect(artifactsOf({ content })).toMatchObject([
    { id: 'art_1', bytes: 9, mimeType: 'text/markdown' },
    { id: 'art_2', bytes: 6, mimeType: 'image/png' },
  ])
})

test('a flood of tiny images is not a flood of files', async () => {
  const { keep, kept } = aKeeper()
  const flood = Array.from({ length: KEPT_BLOCKS_MAX + 50 }, () => ({
    type: 'image' as const,
    data,
    mimeType: 'image/png',
  }))
  const { content } = await keep({ content: flood }, caller)
  expect(kept).toHaveLength(KEPT_BLOCKS_MAX)
  expect(content).toHaveLength(flood.length)
  expect(content.at(-1)).toEqual(flood.at(-1))
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
