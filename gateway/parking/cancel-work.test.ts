import { expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../../bridge/isolate/limits.ts'
import type { CancelWorkDeps } from './cancel-work.ts'
import { createCancelWork } from './cancel-work.ts'

const ENTRY = { tenant: 't', kind: 'run', approvals: [], isForClient: true } as const

test('of what nobody comes back for one that cannot be read keeps no other', async () => {
  const removed: string[] = []
  const nothing = async (): Promise<undefined> => undefined
  const deps: CancelWorkDeps = {
    store: {
      getRun: nothing,
      putRun: nothing,
      waiting: {
        put: nothing,
        get: nothing,
        remove: nothing,
        claim: async () => 'absent',
        ownerOf: nothing,
        renew: nothing,
        release: nothing,
        list: async () => [],
        listAbandoned: async () => ['broken', 'whole'].map((id) => ({ ...ENTRY, id })),
      },
    },
    desk: { cancel: nothing },
    live: {
      enter: async () => () => {},
      tryEnter: async () => ({ kind: 'here' }),
      isLive: () => false,
      isElsewhere: async () => false,
    },
    runs: {
      keep: nothing,
      get: async (_tenant, id) => {
        if (id === 'broken') throw new Error('it was sealed with another key')
        return A_RUN
      },
      remove: async (_tenant, id) => void removed.push(id),
      answer: async () => [],
    },
    turns: { keep: nothing, get: nothing, remove: nothing, findFor: nothing },
    told: { tell: nothing, get: nothing },
  }
  const cancelling = createCancelWork(deps).cancelAbandoned(5)
  await expect(cancelling).rejects.toMatchObject({ errors: [{ message: 'it was sealed with another key' }] })
  expect(removed).toEqual(['whole'])
})

const A_RUN = {
  id: 'whole',
  caller: { tenant: 't', agent: 'default' },
  clientTools: [],
  reachesClient: true,
  recording: {
    source: '',
    seed: 0,
    startMs: 0,
    limits: DEFAULT_LIMITS,
    events: [],
  },
  waits: [],
  notBegun: [],
  callCount: 0,
  earlier: { calls: [], notices: [], artifacts: [], asked: { searches: 0, describes: 0 } },
}
