import type { JsonObject } from '../../catalog/json.ts'
import type { FinishedTurn, OnTurnFinished } from '../turn/resumer.ts'
import type { TurnEvent } from '../turn/turn.ts'
import type { KeptRequest } from '../turn/turn-state.ts'
import type { ToldEnds } from './told-ends.ts'

interface Following {
  readonly request: Pick<KeptRequest, 'id' | 'caller'>
  readonly told: ToldEnds
  readonly onTurnFinished: OnTurnFinished
}

/** Passes the events of a turn that had been parked, and tells of its end whoever asks for it or is told. */
export async function* followTurn(
  events: AsyncGenerator<TurnEvent>,
  following: Following,
): AsyncGenerator<TurnEvent, void, undefined> {
  let answer = ''
  for await (const event of events) {
    if (event.kind === 'text') answer += event.text
    if (event.kind === 'failed')
      await tell(following, { status: 'failed', answer, error: { message: event.failure.message } })
    // What it still waits for was told when it was kept.
    if (event.kind === 'finished' && event.pending === undefined) {
      await tell(following, { status: 'completed', answer })
    }
    yield event
  }
}

/** A turn that was parked has ended without an answer of its own. */
export async function tellFailed(following: Following, message: string): Promise<void> {
  await tell(following, { status: 'failed', answer: '', error: { message } })
}

type End = Pick<FinishedTurn, 'status' | 'answer' | 'error'>

async function tell({ request, told, onTurnFinished }: Following, end: End): Promise<void> {
  const { tenant, agent, session } = request.caller
  const of = session === undefined ? {} : { session }
  const shown: JsonObject = {
    id: request.id,
    ...of,
    status: end.status,
    answer: end.answer,
    ...(end.error && { error: { message: end.error.message } }),
  }
  await told.tell(tenant, request.id, shown)
  onTurnFinished({ tenant, agent, turnId: request.id, ...of, ...end })
}
