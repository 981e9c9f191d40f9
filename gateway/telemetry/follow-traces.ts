import type { SpanContext } from '@opentelemetry/api'
import { TraceFlags, context, isSpanContextValid, trace } from '@opentelemetry/api'
import type { FastifyInstance } from 'fastify'

/**
 * Goes on with the trace of whoever asks, by the W3C header `traceparent`. Whether a request is recorded is for the operator
 * to say: a client that does not sample its own spans does not switch ours off.
 */
export function followTraces(app: FastifyInstance): void {
  // After the body was read: its events come in the context of the connection, which many requests share.
  app.addHook('preHandler', (request, _reply, done) => {
    const parent = parentOf(request.headers['traceparent'])
    if (parent === undefined) return done()
    context.with(trace.setSpanContext(context.active(), parent), done)
  })
}

function parentOf(header: string | readonly string[] | undefined): SpanContext | undefined {
  const [, version, traceId = '', spanId = ''] = (typeof header === 'string' && TRACEPARENT.exec(header)) || []
  const parent = { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true }
  return version !== undefined && version !== 'ff' && isSpanContextValid(parent) ? parent : undefined
}

/** Later versions may have more behind it. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-|$)/
