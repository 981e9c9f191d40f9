import { expect, test } from 'vitest'
import { hostile, published, startSource } from '../fixtures/recorded-source.ts'
import { LINKED_RESOURCES_MAX } from '../limits.ts'
import { withLinkedResources } from './linked-resources.ts'

const link = (uri: string) => ({ type: 'resource_link' as const, uri })

test('the first links are read, each once; what cannot be read stays an address', async () => {
  const asked: string[] = []
  const read = async (uri: string): Promise<unknown> => {
    asked.push(uri)
    if (uri === 'x:bad') throw new Error('no such resource')
    if (uri === 'x:odd') return { contents: 'none' }
    return { contents: [{ uri, ...(uri === 'x:blob' ? { blob: 'AAAA', mimeType: 'image/png' } : { text: uri }) }] }
  }
  const many = Array.from({ length: LINKED_RESOURCES_MAX + 5 }, (_, at) => link(`x:${at}`))
  const first = await withLinkedResources({ content: [link('x:blob'), link('x:bad'), link('x:odd')] }, read)
  expect(first.content).toEqual([
    { ...link('x:blob'), linked: { blob: 'AAAA', mimeType: 'image/png' } },
    link('x:bad'),
    link('x:odd'),
  ])
  asked.length = 0
  const second = await withLinkedResources({ content: [link('x:0'), ...many] }, read)
  expect(new Set(asked).size).toBe(asked.length)
  expect(asked.length).toBeLessThanOrEqual(LINKED_RESOURCES_MAX)
  expect(second.content.at(-1)).toEqual(many.at(-1))
})

test('nothing is read of a result that failed, or that holds no link', async () => {
  const read = (): Promise<unknown> => Promise.reject(new Error('must not be asked'))
  const failed = { content: [link('x:1')], isError: true }
  expect(await withLinkedResources(failed, read)).toBe(failed)
  const plain = { content: [{ type: 'text' as const, text: 'a' }] }
  expect(await withLinkedResources(plain, read)).toBe(plain)
})

test('the published "everything" server gives what its links lead to', async () => {
  const everything = { command: process.execPath, args: [published('server-everything'), 'stdio'] }
  await using recorded = startSource({ servers: { everything } })
  await recorded.ready('everything')
  const { content } = await recorded.call('everything', 'get-resource-links', { count: 2 })
  const links = content.filter((block) => block.type === 'resource_link')
  expect(links).toHaveLength(2)
  expect(links.every(({ linked }) => typeof (linked?.text ?? linked?.blob) === 'string')).toBe(true)
})

test('a server that never answers for its links delays its result by a bounded time', async () => {
  await using recorded = startSource({ servers: { hostile: hostile('--resources') }, timing: { linkReadMs: 100 } })
  await recorded.ready('hostile')
  const { content } = await recorded.call('hostile', 'links')
  expect(content).toEqual([link('hostile:1'), { type: 'text', text: 'linked' }])
})
