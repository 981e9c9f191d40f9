import { array, assert, integer, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import type { OversizeLine } from './line-reader.ts'
import { answeredId, createLineReader } from './line-reader.ts'

function read(chunks: readonly Buffer[], maxBytes: number) {
  const lines: string[] = []
  const oversize: OversizeLine[] = []
  const endless: number[] = []
  const push = createLineReader({
    maxBytes,
    onLine: (line) => lines.push(line),
    onOversize: (line) => oversize.push(line),
    onEndless: (bytes) => endless.push(bytes),
  })
  for (const chunk of chunks) push(chunk)
  return { lines, oversize, endless }
}

test('lines come out whole however the bytes were cut, also within a character', () => {
  assert(
    property(
      array(string({ unit: 'grapheme' }).map((text) => text.replace(/[\r\n]/g, '').trim())),
      integer({ min: 1, max: 7 }),
      (expected, size) => {
        const bytes = Buffer.from(expected.map((line) => `${line}\n`).join(''))
        const chunks = []
        for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size))
        expect(read(chunks, 1_000_000).lines).toEqual(expected)
      },
    ),
  )
})

test('a line over the limit keeps its edges only, and the next line is read', () => {
  const long = `{"result":{},${'x'.repeat(5_000)},"jsonrpc":"2.0","id":7}`
  const { lines, oversize } = read([Buffer.from(long.slice(0, 900)), Buffer.from(`${long.slice(900)}\nnext\n`)], 1_000)
  expect(lines).toEqual(['next'])
  expect(oversize).toEqual([{ bytes: long.length, head: long.slice(0, 512), tail: long.slice(-512) }])
})

test('a line without end is told of once, long before its end', () => {
  const { lines, endless } = read(
    Array.from({ length: 100 }, () => Buffer.from('x'.repeat(100))),
    100,
  )
  expect(lines).toEqual([])
  expect(endless).toEqual([1_700])
})

test.each([
  ['{"jsonrpc":"2.0","id":12,"result":{', '}}', 12],
  ['{"result":{', '}},"jsonrpc":"2.0","id":12}', 12],
  ['{"result":{', '},"id":"a-1"}', 'a-1'],
  ['{"jsonrpc":"2.0","result":{"id":3,', '"id":4}}', undefined],
  ['{"text":"{\\"jsonrpc\\":\\"2.0\\",\\"id\\":5,', '\\"id\\":5}"}', undefined],
])('the id of %s … %s is %s', (head, tail, expected) => {
  expect(answeredId({ bytes: 1, head, tail })).toBe(expected)
})
