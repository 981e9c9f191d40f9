import type { FastifyInstance } from 'fastify'
import type { Run } from '../../../bridge/run.ts'
import type { JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { Authenticate } from '../../auth/authenticate.ts'
import { HttpError } from '../../http/http-error.ts'
import { RUN_RESULTS_MAX } from '../limits.ts'
import { abortOnDisconnect } from '../../http/abort-on-disconnect.ts'

export type AnsweredRun =
  | { readonly kind: 'run'; readonly run: Run }
  /** No call of this run waits under these ids, or it was answered before. */
  | { readonly kind: 'unknown'; readonly ids: readonly string[] }

/** Gives a parked run the client's results, by the ids of the calls, and goes on with it. */
export type AnswerRun = (
  of: { readonly tenant: string; readonly id: string },
  answers: ReadonlyMap<string, string>,
  signal: AbortSignal,
) => Promise<AnsweredRun>

export interface RunResultsDeps {
  readonly authenticate: Authenticate
  readonly answerRun: AnswerRun
}

/**
 * `POST /v1/runs/{id}/results` with `{ callId, content }`, or `{ results: [{ callId, content }] }`: what the client's own
 * tools gave. The answer is the run, ended or waiting again.
 */
export function registerRunResults(app: FastifyInstance, deps: RunResultsDeps): void {
  app.post<{ Params: { readonly id: string }; Body: JsonValue }>('/v1/runs/:id/results', async (request, reply) => {
    const { caller } = await deps.authenticate(request, 'tools')
    const answers = readResults(request.body)
    const of = { tenant: caller.tenant, id: request.params.id }
    const answered = await deps.answerRun(of, answers, abortOnDisconnect(request, reply))
    if (answered.kind === 'run') return answered.run
    const ids = answered.ids.map((id) => JSON.stringify(id.slice(0, 100))).join(', ')
    throw new HttpError(
      'conflict',
      `no call of this run waits for the client under ${ids}; GET /v1/runs/{id} says what does`,
    )
  })
}

function readResults(body: JsonValue): ReadonlyMap<string, string> {
  const list = isJsonObject(body) && Array.isArray(body['results']) ? body['results'] : [body]
  const results = new Map<string, string>()
  for (const entry of list.slice(0, RUN_RESULTS_MAX + 1)) {
    const { callId, content }: Readonly<Record<string, JsonValue>> = isJsonObject(entry) ? entry : {}
    if (typeof callId !== 'string' || callId === '' || content === undefined) {
      throw new HttpError('invalid_request', 'the body is { "callId": "…", "content": "…" }', { param: 'callId' })
    }
    results.set(callId, typeof content === 'string' ? content : JSON.stringify(content))
  }
  if (results.size > 0 && results.size <= RUN_RESULTS_MAX) return results
  throw new HttpError('invalid_request', `results are 1 to ${RUN_RESULTS_MAX} results`, { param: 'results' })
}
