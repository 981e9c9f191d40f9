import type { FastifyInstance, FastifyReply } from 'fastify'
import { createQueryMemory } from '../../../bridge/surface/query-memory.ts'
import type { ReplayRun } from '../../../bridge/running/replay-run.ts'
import type { RunProgram, RunRecording } from '../../../bridge/running/run-program.ts'
import type { Run } from '../../../bridge/run.ts'
import type { Caller } from '../../../catalog/caller.ts'
import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { clientTools } from '../../../catalog/sources/client.ts'
import type { Tool, ToolDefinition } from '../../../catalog/tool.ts'
import type { View } from '../../../catalog/view.ts'
import type { Authenticate, Authenticated } from '../../auth/authenticate.ts'
import { checkAgent } from '../../auth/authenticate.ts'
import { readClientTools } from '../chat/reading/client-tools.ts'
import { checkFields } from '../check-fields.ts'
import { HttpError } from '../../http/http-error.ts'
import { noSuch } from '../no-such.ts'
import { runTaken } from '../run-taken.ts'
import { narrowedBy } from '../tools-allow.ts'
import { abortOnDisconnect } from '../../http/abort-on-disconnect.ts'
import type { AnswerRun } from './run-results-routes.ts'
import { registerRunResults } from './run-results-routes.ts'

export interface RunsRoutesDeps {
  readonly authenticate: Authenticate
  readonly agents: () => readonly string[]
  readonly viewFor: (caller: Caller, clientTools: readonly Tool[]) => View
  readonly runProgram: RunProgram
  readonly replayRun: ReplayRun
  readonly getRun: (tenant: string, id: string) => Promise<RecordedRun | undefined>
  readonly newId: () => string
  /** Ends a run that is parked, with its approvals; the run as it then is. */
  readonly cancelParked: (tenant: string, id: string) => Promise<Run | undefined>
  readonly answerRun: AnswerRun
}

/** A run that has ended, or waits. */
export interface RecordedRun {
  readonly run: Run
  /** Undefined when it was too large, or its time is over. */
  readonly recording: () => RunRecording | undefined
}

/** `/v1/runs`: a program for a caller, without a model. */
export function registerRunsRoutes(app: FastifyInstance, deps: RunsRoutesDeps): void {
  const underWay = new Map<string, AbortController>()
  app.post<{ Body: JsonValue }>('/v1/runs', async (request, reply) => {
    const authenticated = await deps.authenticate(request, 'tools')
    const { code, caller, tools, id = deps.newId() } = readBody(request.body, authenticated, deps.agents())
    const key = keyOf(caller.tenant, id)
    if (underWay.has(key)) throw runTaken(id)
    const stop = new AbortController()
    // Before anything is waited for: of two requests with one id the second finds the first.
    underWay.set(key, stop)
    const signal = AbortSignal.any([stop.signal, abortOnDisconnect(request, reply)])
    try {
      if ((await deps.getRun(caller.tenant, id)) !== undefined) throw runTaken(id)
      const view = deps.viewFor(caller, clientTools(tools))
      const asked = { id, source: code, view, caller, memory: createQueryMemory() }
      const run = await deps.runProgram({ ...asked, reachesClient: tools.length > 0 }, signal)
      if (run.status === 'busy') throw new HttpError('busy', run.message, { retryAfterSeconds: 1 })
      const { wallMs, calls } = run.telemetry
      request.log.info({ run: run.id, session: caller.session, status: run.status, calls, ms: wallMs }, 'run finished')
      return run
    } finally {
      underWay.delete(key)
    }
  })
  app.get<{ Params: { readonly id: string } }>('/v1/runs/:id', async (request) => {
    const { caller } = await deps.authenticate(request, 'tools')
    return (await findRun(caller.tenant, request.params.id, deps)).run
  })
  app.post<{ Params: { readonly id: string } }>('/v1/runs/:id/cancel', async (request, reply: FastifyReply) => {
    const { caller } = await deps.authenticate(request, 'tools')
    const stop = underWay.get(keyOf(caller.tenant, request.params.id))
    if (stop === undefined) {
      // A run that has ended already is answered as it ended; asking twice is harmless.
      const { run } = await findRun(caller.tenant, request.params.id, deps)
      return run.status === 'waiting' ? deps.cancelParked(caller.tenant, run.id) : run
    }
    stop.abort(new Error('cancelled by request'))
    return reply.code(202).send({ id: request.params.id, status: 'cancelling' })
  })
  registerReplay(app, deps)
  registerRunResults(app, deps)
}

/** `{ until?, code? }`: the run again from its record, whole, up to an answer, or with another program. */
function registerReplay(app: FastifyInstance, deps: RunsRoutesDeps): void {
  app.post<{ Params: { readonly id: string }; Body: JsonValue }>('/v1/runs/:id/replay', async (request, reply) => {
    const { caller } = await deps.authenticate(request, 'tools')
    const { id } = request.params
    const recording = (await findRun(caller.tenant, id, deps)).recording()
    if (recording === undefined) {
      throw new HttpError(
        'conflict',
        `the answers of run ${JSON.stringify(id)} are not kept (any more), so it cannot be replayed`,
      )
    }
    const options = readReplay(request.body)
    const signal = abortOnDisconnect(request, reply)
    const replayed = await deps.replayRun({ caller, recording, originalId: id, ...options }, signal)
    if (replayed.status === 'busy') throw new HttpError('busy', replayed.message, { retryAfterSeconds: 1 })
    return replayed
  })
}

function readReplay(body: JsonValue | undefined): { readonly untilAnswer?: number; readonly editedSource?: string } {
  const { until, code } = isJsonObject(body) ? body : {}
  if (until !== undefined && (typeof until !== 'number' || !Number.isInteger(until) || until < 0)) {
    throw new HttpError('invalid_request', 'until is the number of answers to stop after', { param: 'until' })
  }
  if (code !== undefined && typeof code !== 'string') {
    throw new HttpError('invalid_request', 'code is a program as text', { param: 'code' })
  }
  return { ...(until !== undefined && { untilAnswer: until }), ...(code !== undefined && { editedSource: code }) }
}

/** Ids are a tenant's own: one tenant's run neither takes an id from another nor tells of itself by it. */
function keyOf(tenant: string, id: string): string {
  return JSON.stringify([tenant, id])
}

async function findRun(tenant: string, id: string, deps: RunsRoutesDeps): Promise<RecordedRun> {
  const run = await deps.getRun(tenant, id)
  if (run === undefined) throw noSuch('run', id)
  return run
}

interface RunBody {
  /** The client's own. */
  readonly tools: readonly ToolDefinition[]
  /** Chosen by who wants to cancel the run while it is under way. */
  readonly id?: string
  readonly code: string
  readonly caller: Caller
}

const BODY_KEYS = ['code', 'session', 'agent', 'id', 'toolsAllow', 'tools']
/** As ours look, so that an id never means anything else. */
const RUN_ID = /^run_[A-Za-z0-9_-]{8,64}$/

function readBody(body: JsonValue, { caller, token }: Authenticated, agents: readonly string[]): RunBody {
  if (!isJsonObject(body) || typeof body['code'] !== 'string') {
    throw new HttpError('invalid_request', 'the body is { "code": "…" } with a program as text', { param: 'code' })
  }
  checkFields(body, BODY_KEYS)
  const agent = readName(body, 'agent') ?? caller.agent
  checkAgent(agent, token, agents)
  const session = readName(body, 'session') ?? caller.session
  const id = readName(body, 'id')
  if (id !== undefined && !RUN_ID.test(id)) {
    throw new HttpError('invalid_request', 'id is "run_" and 8 to 64 letters, digits, "_" or "-"', { param: 'id' })
  }
  return {
    code: body['code'],
    tools: readClientTools(body['tools']),
    caller: narrowedBy({ ...caller, agent, ...(session !== undefined && { session }) }, body['toolsAllow']),
    ...(id !== undefined && { id }),
  }
}

function readName(body: JsonObject, key: string): string | undefined {
  const value = body[key]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' && value !== '' && value.length <= 256) return value
  throw new HttpError('invalid_request', `${key} is a text of 1 to 256 characters`, { param: key })
}
