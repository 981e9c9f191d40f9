import type { Approval, Pending } from '../approval.ts'
import type { FrozenCall } from './frozen-call.ts'

/** What a call waits for: a person where there is an approval, else the client, whose tool it is. */
export interface Wait {
  readonly call: FrozenCall
  readonly approval?: Approval
}

/** Who made a call keeps it while it waits; a run, a turn and a route each do so in their own way. */
export interface CallHold {
  /** The call waits from now on. Resolves, with what is said of it, once it is kept where a crash does not reach it. */
  begin(wait: Wait): Promise<Pending>
  /** It waits no longer. Once this has resolved it is never made again, so that nothing is done twice. */
  end(callId: string): Promise<void>
  /** Aborted when it is held no longer: the call then ends `waiting`, to be made in its frozen form some day. */
  readonly parked: AbortSignal
  /** Whether the client can be given a call of its own tool, and brings the result. */
  readonly reachesClient: boolean
  /** A person is asked in the middle of the call: time stands still for who made it until the given function is called. */
  readonly pause?: () => () => void
}
