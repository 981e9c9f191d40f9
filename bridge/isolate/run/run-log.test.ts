import { expect, test } from 'vitest'
import { RunLog } from './run-log.ts'

const log = (text: string): { level: 'log'; text: string } => ({ level: 'log', text })

test('a line that does not fit is cut on a character, and what is gone is counted', () => {
  const run = new RunLog(12)
  run.add(log('12345'))
  run.add(log('ab€€€'))
  run.add(log('more'))
  expect(run.entries()).toEqual([log('12345'), log('ab€')])
  expect(run.droppedBytes()).toBe(6 + 4)
})

test('empty lines fill the log too', () => {
  const run = new RunLog(3)
  for (let line = 0; line < 10; line++) run.add(log(''))
  expect(run.entries()).toHaveLength(3)
})

test('what the isolate says it dropped is added', () => {
  const run = new RunLog(100)
  run.reportDropped(7)
  expect(run.droppedBytes()).toBe(7)
})
