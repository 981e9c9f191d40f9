import { expect, test } from 'vitest'
import { noSuch } from './no-such.ts'

test.each([
  ['run', 'run_1', 'there is no run "run_1"'],
  ['run', 'my own id', 'there is no run "my own id"'],
  [
    'run',
    'apr_1',
    'there is no run "apr_1"; that is the id of an approval (/v1/approvals/{id}); ids of runs begin with "run_"',
  ],
  ['run', 'run_1/2', 'there is no run "run_1/2"; that is a call of run "run_1"'],
  ['approval', 'call_1', expect.stringContaining('that is the id of a call')],
  ['approval', 'run_1', expect.stringContaining('that is the id of a run')],
  ['grant', 'rc_1', expect.stringContaining('that is the id of a receipt')],
] as const)('a %s that is asked for as %s', (wanted, id, message) => {
  expect(noSuch(wanted, id)).toMatchObject({ code: 'not_found', message })
})
