import { expect, test } from 'vitest'
import { readableLine } from './readable-line.ts'

const AT = Date.UTC(2026, 10, 30, 9, 5, 7)

test.each([
  [{ level: 40, time: AT, msg: 'a webhook did not arrive' }, '09:05:07 warning: a webhook did not arrive\n'],
  [
    { level: 50, time: AT, request: 'req_1', err: { type: 'Error', message: 'disk\nfull', stack: 'x' }, msg: 'failed' },
    '09:05:07 error: failed: disk; full (request: req_1)\n',
  ],
  [{ level: 40, msg: 'restart', paths: ['gateway.port'], n: 2 }, 'warning: restart (paths: ["gateway.port"], n: 2)\n'],
  [{ level: 40, msg: 'bad \u001b[31m name' }, 'warning: bad  name\n'],
])('the entry %j is one line that a person reads', (entry, line) => {
  expect(readableLine(`${JSON.stringify(entry)}\n`)).toBe(line)
})

test.each(['not json\n', '[1]\n', '{"level":40}\n'])('what is no entry of the log stays as it is: %j', (line) => {
  expect(readableLine(line)).toBe(line)
})
