import type { Caller } from '../../../catalog/caller.ts'
import { aView } from '../../../catalog/testing/a-view.ts'
import type { Gate } from '../passthrough/judging/gate.ts'
import { createGate } from '../passthrough/judging/gate.ts'
import { ALL_OFFERS, NO_LOOK } from './all-offers.ts'

/** What is passed through to the server `files` without tools, where policy has nothing against anything. */
export function anOpenGate(caller: Caller): Gate {
  return createGate('files', caller, {
    viewFor: () => aView([]),
    decide: () => ({ kind: 'allow' }),
    offers: ALL_OFFERS,
    firstLook: NO_LOOK,
  })
}
