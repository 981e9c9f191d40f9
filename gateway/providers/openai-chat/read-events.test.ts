import { array, assert, asyncProperty, nat } from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ServerEvent } from './read-events.ts'
import { readEvents } from './read-events.ts'

describe('events', () => {
  test.each([
    ['LF', 'data: a\n\ndata: b\n\n', ['a', 'b']],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
    ['no space after the colon', 'data:a\n\n', ['a']],
    ['data in several lines', 'data: a\ndata: b\n\n', ['a\nb']],
    ['comments and unknown fields', ': ping\n\nid: 7\nretry: 1\ndata: a\n\n', ['a']],
    ['an end without a blank line', 'data: a\n\ndata: b', ['a', 'b']],
    ['nothing', '', []],
  ])('with %s', async (_what, text, data) => {
    expect((await eventsOf([Buffer.from(text)])).map((event) => event.data)).toEqual(data)
  })

  test('bear the name that the server gave them', async () => {
    const events = await eventsOf([Buffer.from('event: error\ndata: a\n\ndata: b\n\n')])
    expect(events.map((event) => event.name)).toEqual(['error', 'message'])
  })

  test('are the same however the bytes are cut, also within a character', async () => {
    const bytes = Buffer.from('data: Grüße 🛠\r\n\r\nevent: x\ndata: {"a":"\u2028"}\n\ndata: [DONE]\n\n')
    const whole = await eventsOf([bytes])
    await assert(
      asyncProperty(array(nat(bytes.length), { maxLength: 12 }), async (cuts) => {
        const places = [0, ...cuts.toSorted((left, right) => left - right), bytes.length]
        const parts = places.slice(1).map((end, index) => bytes.subarray(places[index], end))
        expect(await eventsOf(parts)).toEqual(whole)
      }),
    )
  })

  test('of endless length are refused', async () => {
    const part = new Uint8Array(1024 * 1024).fill(97)
    await expect(eventsOf(Array.from({ length: 18 }, () => part))).rejects.toThrow('the event is too long')
  })
})

async function eventsOf(parts: readonly Uint8Array[]): Promise<readonly ServerEvent[]> {
  const events: ServerEvent[] = []
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
  for await (const event of readEvents(body.getReader())) events.push(event)
  return events
}
