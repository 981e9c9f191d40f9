import type { FastifyInstance, FastifyReply } from 'fastify'
import { CallerLeft } from '../../../bridge/parking/caller-left.ts'
import type { Caller } from '../../../catalog/caller.ts'
import { answerError, HttpError } from '../../http/http-error.ts'
import { agentOf } from './reading/agent-target.ts'
import { answerStream } from './answering/answer-stream.ts'
import { answerWhole } from './answering/answer-whole.ts'
import type { ChatAnswer } from './answering/chat-answer.ts'
import type { ChatRequest } from './reading/chat-request.ts'
import { parseChatRequest } from './reading/chat-request.ts'
import type { ChatRouteDeps } from './chat-route-deps.ts'
import { CHAT_BODY_MAX_BYTES, HEAD_DELAY_MS, HEARTBEAT_MS, SESSION_ID_MAX_LENGTH } from './limits.ts'
import { registerModelRoutes } from './model-routes.ts'
import { openChatTurn } from './open-chat-turn.ts'
import { registerTurnRoutes } from './turn-routes.ts'

/** `POST /v1/chat/completions`, streaming and not, with `/v1/models` and `/v1/turns` beside it. */
export function registerChatRoutes(app: FastifyInstance, deps: ChatRouteDeps): void {
  registerModelRoutes(app, deps)
  registerTurnRoutes(app, deps)
  const options = { bodyLimit: CHAT_BODY_MAX_BYTES, errorHandler: answerError }
  app.post('/v1/chat/completions', options, async (request, reply) => {
    reply.header('x-request-id', request.id)
    // Before the first await: a client may leave while its turn is still being opened.
    const signal = AbortSignal.any([goneSignal(reply), deps.closing])
    const chat = parseChatRequest(request.body)
    const caller = turnCaller(chat, deps.callerOf(request), deps)
    const { turnId, events } = await openChatTurn({ chat, caller, requestId: request.id }, deps, signal)
    const answer: ChatAnswer = {
      chat,
      turnId,
      events,
      showsCalls: request.headers['x-drawbridge-events'] === 'calls',
      created: Math.floor(deps.nowMs() / 1000),
      heartbeatMs: deps.heartbeatMs ?? HEARTBEAT_MS,
      headDelayMs: deps.headDelayMs ?? HEAD_DELAY_MS,
    }
    return chat.stream ? answerStream(answer, request, reply) : answerWhole(answer, request, reply)
  })
}

/** The caller with the agent that `model` names and the session that the header, else `user`, names. */
function turnCaller(chat: ChatRequest, caller: Caller, deps: ChatRouteDeps): Caller {
  const session = caller.session ?? chat.user
  if (session !== undefined && session.length > SESSION_ID_MAX_LENGTH) {
    throw new HttpError(
      'invalid_request',
      `the session id has ${session.length} characters; ${SESSION_ID_MAX_LENGTH} are the most`,
    )
  }
  const agent = agentOf(chat.model, caller.agent, deps.agentsOf(caller))
  const { toolsAllow } = chat
  return {
    ...caller,
    agent,
    ...(session !== undefined && { session }),
    ...(toolsAllow !== undefined && { toolsAllow: [toolsAllow] }),
  }
}

/** Aborted when the client leaves before its answer is whole: before the first token, in mid-stream, or while it waits. */
function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const { raw } = reply
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort(new CallerLeft('the client left'))
  })
  return gone.signal
}
