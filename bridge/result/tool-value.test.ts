import { describe, expect, test } from 'vitest'
import type { ContentBlock, ToolResult } from '../../catalog/tool.ts'
import { lightBlocks, toolValue } from './tool-value.ts'

const text = (value: string): ContentBlock => ({ type: 'text', text: value })
const aResult = (...content: readonly ContentBlock[]): ToolResult => ({ content })

describe('toolValue', () => {
  test('a structured result is the value, whatever JSON it is', () => {
    for (const structured of [null, 0, '', [1], { a: 1 }, false]) {
      expect(toolValue({ content: [text('ignored')], structured })).toEqual(structured)
    }
  })

  test('text blocks are joined by a line feed', () => {
    expect(toolValue(aResult(text('a'), text('b')))).toBe('a\nb')
  })

  test('a result without content is the empty text', () => {
    expect(toolValue(aResult())).toBe('')
  })

  test('text that looks like JSON stays text', () => {
    expect(toolValue(aResult(text('{"a":1}')))).toBe('{"a":1}')
  })

  test('an image is described, its data left out', () => {
    const data = Buffer.from('pixels').toString('base64')
    const value = toolValue(aResult(text('a chart'), { type: 'image', data, mimeType: 'image/png' }))
    expect(value).toMatchObject({
      text: 'a chart',
      blocks: [{ artifact: 'content[1]', type: 'image', mimeType: 'image/png', bytes: 6 }],
    })
    expect(JSON.stringify(value)).not.toContain(data)
  })

  test('what was kept is named by its handle, also where the structured result holds the same bytes', () => {
    const data = Buffer.from('pixels').toString('base64')
    const image: ContentBlock = { type: 'image', data, mimeType: 'image/png', artifact: 'art_1' }
    expect(toolValue(aResult(image))).toMatchObject({ blocks: [{ artifact: 'art_1', type: 'image', bytes: 6 }] })
    const structured = { title: 'a chart', images: [{ data }], other: 'x' }
    const value = toolValue({ content: [image], structured })
    expect(value).toEqual({ title: 'a chart', images: [{ data: { artifact: 'art_1' } }], other: 'x' })
    const forClients = { ...text('a'), details: { annotations: { audience: ['user'] } } }
    expect(lightBlocks([image, forClients])).toEqual([
      { type: 'image', mimeType: 'image/png', bytes: 6, artifact: 'art_1' },
      { type: 'text', text: 'a' },
    ])
  })

  test('a resource with text is text, one with a blob is described', () => {
    expect(toolValue(aResult({ type: 'resource', resource: { uri: 'file:///a', text: 'hello' } }))).toBe('hello')
    const value = toolValue(aResult({ type: 'resource', resource: { uri: 'file:///b', blob: 'AAAA' } }))
    expect(value).toMatchObject({ blocks: [{ uri: 'file:///b', bytes: 3, mimeType: 'application/octet-stream' }] })
    expect(value).not.toHaveProperty('text')
  })

  test('a link keeps its address and name', () => {
    const value = toolValue(
      aResult({ type: 'resource_link', uri: 'https://x.test/a', name: 'a', mimeType: 'text/html' }),
    )
    expect(value).toMatchObject({ blocks: [{ uri: 'https://x.test/a', name: 'a', mimeType: 'text/html' }] })
  })
})
