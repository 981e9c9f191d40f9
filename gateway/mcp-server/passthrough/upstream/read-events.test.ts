import { array, assert, asyncProperty, constantFrom, integer, string } from 'fast-check'
import { expect, test } from 'vitest'
import { readEvents } from './read-events.ts'

async function read(text: string, sizes: readonly number[] = []): Promise<readonly unknown[]> {
  const bytes = Buffer.from(text)
  const chunks: Buffer[] = []
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? bytes.length
    chunks.push(bytes.subarray(at, at + size))
    at += size
  }
  const events: unknown[] = []
  for await (const event of readEvents(ReadableStream.from(chunks))) events.push(event)
  return events
}

test('an event has its data, its id and the pause that it asks for', async () => {
  const text = ': comment\nid: 7\nretry: 250\nevent: message\ndata: a\ndata:b\n\nid: 8\ndata\n\n'
  expect(await read(text)).toEqual([
    { id: '7', retryMs: 250, data: 'a\nb' },
    { id: '8', retryMs: undefined, data: '' },
  ])
})

test('an event that the end cuts off does not count', async () => {
  expect(await read('data: 1\n\ndata: 2\n')).toEqual([{ id: undefined, retryMs: undefined, data: '1' }])
})

test('however the bytes are cut and the lines end, the events are the same', async () => {
  const lines = array(string({ unit: constantFrom('a', 'é', '🙂', ' ', ':'), maxLength: 5 }), {
    minLength: 1,
    maxLength: 4,
  })
  const cases = asyncProperty(
    array(lines, { maxLength: 4 }),
    constantFrom('\n', '\r\n', '\r'),
    array(integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
    async (events, end, sizes) => {
      const text = events.map((data) => `${data.map((line) => `data: ${line}${end}`).join('')}${end}`).join('')
      // The last CR might have been half of a CRLF; what follows settles it.
      const found = await read(`${text}:${end}`, sizes)
      expect(found.map((event) => Object(event).data)).toEqual(events.map((data) => data.join('\n')))
    },
  )
  await assert(cases)
})

test('a line that comes in very many pieces costs no more than its length', async () => {
  const pieces = 200_000
  const text = `data: ${'x'.repeat(pieces)}\n\n`
  const [event] = await read(text, [1])
  expect(Object(event).data).toHaveLength(pieces)
})

test('no text makes it throw', async () => {
  await assert(
    asyncProperty(
      string({ unit: constantFrom('\n', '\r', ':', ' ', 'd', 'data', 'id', '\0'), maxLength: 40 }),
      async (text) => {
        expect(Array.isArray(await read(text, [3]))).toBe(true)
      },
    ),
  )
})
