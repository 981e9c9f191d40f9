import { expect, test } from 'vitest'
import type { WaitingRun } from '../../bridge/parking/waiting-run.ts'
import { DEFAULT_LIMITS } from '../../bridge/isolate/limits.ts'
import type { WaitingEntry } from '../store/waiting-store.ts'
import type { SealedWork } from './sealed-work.ts'
import { createWaitingRuns } from './waiting-runs.ts'

function aWork(): SealedWork & { readonly entries: Map<string, WaitingEntry> } {
  const entries = new Map<string, WaitingEntry>()
  const contents = new Map<string, string>()
  return {
    entries,
    async put(entry, content) {
      entries.set(entry.id, entry)
      contents.set(entry.id, JSON.stringify(content))
    },
    async get(_tenant, id) {
      const [entry, json] = [entries.get(id), contents.get(id)]
      return entry === undefined || json === undefined ? undefined : { entry, json }
    },
    remove: async (_tenant, id) => void entries.delete(id),
  }
}

const call = {
  callId: 'run_1/1',
  receiptId: 'rc',
  requested: 'x',
  toolId: 'x',
  schemaHash: 'h',
  input: {},
  notices: [],
}
const run: WaitingRun = {
  id: 'run_1',
  caller: { tenant: 't', agent: 'default' },
  clientTools: [],
  reachesClient: true,
  recording: { source: '', seed: 1, startMs: 0, limits: DEFAULT_LIMITS, events: [] },
  waits: [
    { operation: 1, call, pending: { clientCall: 'call_a_1', tool: 'x', name: 'x', args: {} } },
    { operation: 2, call, pending: { approval: 'apr_1', callId: 'run_1/2', tool: 'x', title: 'X', expiresMs: 1 } },
  ],
  notBegun: [],
  callCount: 2,
  earlier: { calls: [], notices: [], artifacts: [], asked: { searches: 0, describes: 0 } },
}

test('a run that waits for both its client and a person has something to go on with once either has come', async () => {
  const work = aWork()
  const runs = createWaitingRuns(work)
  await runs.keep(run)
  expect(work.entries.get('run_1')).toMatchObject({ approvals: ['apr_1'], isForClient: true })
  expect(await runs.answer('t', 'run_1', new Map([['call_a_1', 'tab 7']]))).toEqual([])
  expect(work.entries.get('run_1')).toMatchObject({ approvals: [], isForClient: false })
})

test('the first result of a call counts, and one that nobody waits for is said to be', async () => {
  const runs = createWaitingRuns(aWork())
  await runs.keep(run)
  const answers = (text: string) => new Map([['call_a_1', text]])
  expect(await runs.answer('t', 'run_1', new Map([['call_a_9', 'x']]))).toEqual(['call_a_9'])
  expect(await runs.answer('t', 'run_1', answers('first'))).toEqual([])
  expect(await runs.answer('t', 'run_1', answers('second'))).toEqual(['call_a_1'])
  expect((await runs.get('t', 'run_1'))?.waits[0]?.answer).toBe('first')
  expect(await runs.answer('t', 'run_2', answers('x'))).toEqual(['call_a_1'])
})
