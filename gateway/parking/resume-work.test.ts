import { expect, test } from 'vitest'
import { HttpError } from '../http/http-error.ts'
import { StoreError } from '../store/errors.ts'
import type { WaitingEntry } from '../store/waiting-store.ts'
import type { FinishedTurn } from '../turn/resumer.ts'
import type { LiveWorkDeps } from './live-work.ts'
import { createLiveWork } from './live-work.ts'
import type { ResumeWorkDeps } from './resume-work.ts'
import { createResumeWork } from './resume-work.ts'
import type { WaitingTurn } from './waiting-turns.ts'

const RUN: WaitingEntry = { tenant: 't', id: 'run_1', kind: 'run', approvals: [], isForClient: false }
const TURN: WaitingEntry = { ...RUN, id: 'turn_1', kind: 'turn' }

function aWorld(given: Partial<ResumeWorkDeps> & { readonly claims?: Partial<LiveWorkDeps['claims']> } = {}) {
  const ended: string[] = []
  const finished: FinishedTurn[] = []
  const caller = { tenant: 't', agent: 'gone', session: 's' }
  const turn: WaitingTurn = {
    caller,
    clientTools: [],
    state: {
      request: { id: 'turn_1', caller, clientTools: [], parameters: {} },
      toolsAllow: [],
      head: [],
      conversation: [],
      unsaved: [],
      hidden: [],
      steps: 1,
      failures: [],
      clientKeys: [],
      isParked: true,
    },
  }
  const nothing = async (): Promise<undefined> => undefined
  const claims = { take: async () => true, drop: nothing, isElsewhere: async () => false, ...given.claims }
  const live = createLiveWork({ claims, onLeft: () => {} })
  const resume = createResumeWork({
    live,
    runs: { keep: nothing, get: nothing, remove: nothing, answer: async () => [] },
    turns: {
      keep: nothing,
      get: async () => turn,
      remove: async (_tenant, id) => void ended.push(id),
      findFor: nothing,
    },
    calls: { hold: () => unused(), make: () => unused(), resume: nothing },
    told: { tell: nothing, get: nothing },
    resumeRun: nothing,
    endRun: async (_tenant, id, message) => void ended.push(`${id}: ${message}`),
    openTurn: () => unused(),
    dropTurn: async (_tenant, id, reason) => ended.push(`${id}: ${reason}`) > 0,
    callerFault: nothing,
    onTurnFinished: (told) => finished.push(told),
    sourcesReady: nothing,
    closing: new AbortController().signal,
    log: { error: () => {}, info: () => {} },
    ...given,
  })
  return { resume, live, ended, finished }
}

function unused(): never {
  throw new Error('nothing asks for this here')
}

test('a run that somebody is at is left to them', async () => {
  const { resume, live } = aWorld({ resumeRun: () => unused() })
  const leave = await live.enter('t', 'run_1')
  expect(await resume(RUN)).toBe('done')
  leave()
})

test('what another gateway is at is looked at again later, since that one may be killed', async () => {
  const elsewhere = { take: async () => false, isElsewhere: async () => true }
  const { resume, ended } = aWorld({ claims: elsewhere, resumeRun: () => unused() })
  expect([await resume(RUN), await resume(TURN), await resume({ ...RUN, kind: 'call' })]).toEqual(
    Array.from({ length: 3 }, () => 'later'),
  )
  expect(ended).toEqual([])
})

test('a busy pool and a store that refuses are tried again', async () => {
  const busy = aWorld({ resumeRun: async () => ({ status: 'busy', message: 'no worker' }) })
  expect(await busy.resume(RUN)).toBe('later')
  const locked = aWorld({ resumeRun: () => Promise.reject(new StoreError('store-locked', 'locked')) })
  expect(await locked.resume(RUN)).toBe('later')
  expect([...busy.ended, ...locked.ended]).toEqual([])
})

test('a run that cannot be gone on with ends and says so, without a defect’s words', async () => {
  const world = aWorld({ resumeRun: () => Promise.reject(new TypeError('secret detail')) })
  expect(await world.resume(RUN)).toBe('done')
  expect(world.ended).toEqual(['run_1: internal error; the log has the details'])
})

test('a turn whose model is gone ends and says so', async () => {
  const world = aWorld({ openTurn: () => Promise.reject(new HttpError('unavailable', 'the model is gone')) })
  expect(await world.resume(TURN)).toBe('done')
  expect(world.ended).toEqual(['turn_1'])
  expect(world.finished).toMatchObject([{ status: 'failed', error: { message: 'the model is gone' } }])
})

test('a turn whose caller may do nothing any more ends as rejected, with all that it waits for', async () => {
  const world = aWorld({ callerFault: async ({ agent }) => `agent "${agent}" is not configured any more` })
  expect(await world.resume(TURN)).toBe('done')
  expect(world.ended).toEqual(['turn_1: rejected: agent "gone" is not configured any more'])
  expect(world.finished).toEqual([
    expect.objectContaining({
      turnId: 'turn_1',
      status: 'failed',
      error: { message: expect.stringContaining('gone') },
    }),
  ])
})

test('when the gateway stops everything stays as it is', async () => {
  const world = aWorld({ closing: AbortSignal.abort(), resumeRun: () => unused() })
  expect(await world.resume(RUN)).toBe('done')
  expect(world.ended).toEqual([])
})
