import { expect, test } from 'vitest'
import { boundBody } from './bounded-body.ts'

async function read(
  chunks: readonly string[],
  isStream: boolean,
): Promise<{ readonly text: string; readonly oversize: number }> {
  let oversize = 0
  let text = ''
  async function* source() {
    for (const chunk of chunks) yield Buffer.from(chunk)
  }
  const body = boundBody(source(), { maxBytes: 20, isStream, onOversize: () => (oversize += 1) })
  try {
    for await (const chunk of body) text += Buffer.from(chunk).toString()
  } catch {
    // The limit: what came through before it is what counts.
  }
  return { text, oversize }
}

test('a body is cut off at the limit before the bytes past it are handed on', async () => {
  expect(await read(['0123456789', '0123456789'], false)).toEqual({ text: '01234567890123456789', oversize: 0 })
  expect(await read(['0123456789', '01234567890'], false)).toEqual({ text: '0123456789', oversize: 0 })
})

test.each([['\n\n'], ['\r\n\r\n'], ['\r\r']])(
  'a stream may be long when its events, ended by %j, are not',
  async (blank) => {
    const events = Array.from({ length: 50 }, () => `data: 123${blank}`).join('')
    for (const size of [1, 2, 3, 7]) {
      const chunks = events.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
      expect(await read(chunks, true)).toEqual({ text: events, oversize: 0 })
    }
  },
)

test('one event over the limit ends the stream', async () => {
  expect((await read(['data: 1\n\n', 'data: 1234567890', '1234567890'], true)).oversize).toBe(1)
})
