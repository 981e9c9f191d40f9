import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { readLines } from './read-lines.ts'

async function linesOf(end: (input: PassThrough) => unknown, maxBytes = 100) {
  const input = new PassThrough()
  const lines: string[] = []
  const tooLong: unknown[] = []
  const reading = readLines(input, {
    maxBytes,
    onLine: (line) => void lines.push(line),
    onTooLong: (bytes, id) => void tooLong.push(id === undefined ? bytes : [bytes, id]),
  })
  end(input)
  await reading
  return { lines, tooLong }
}

test.each([
  ['one\ntwo\n', ['one', 'two']],
  ['one\ntwo', ['one', 'two']],
  ['one\r\n\r\n two \r', ['one', 'two']],
  ['{"a":"ä', ['{"a":"ä']],
  ['', []],
])('the lines of %j are read, also the last one that no line feed ends', async (text, lines) => {
  expect(await linesOf((input) => input.end(text))).toEqual({ lines, tooLong: [] })
})

test('a last line that is too long is said to be', async () => {
  expect(await linesOf((input) => input.end('one\n12345678901'), 10)).toEqual({ lines: ['one'], tooLong: [11] })
})

test.each([
  `{"jsonrpc":"2.0","id":7,"params":"${'x'.repeat(90)}"}`,
  `{"params":"${'x'.repeat(90)}","jsonrpc":"2.0","id":7}`,
])('of a line that is too long the id is told, for whoever waits: %s', async (line) => {
  expect((await linesOf((input) => input.end(`${line}\nnext\n`))).tooLong).toEqual([[line.length, 7]])
})

test('an input that breaks off has ended', async () => {
  const broken = linesOf((input) => {
    input.write('one\n')
    setImmediate(() => input.destroy(new Error('EIO')))
  })
  expect(await broken).toEqual({ lines: ['one'], tooLong: [] })
})
