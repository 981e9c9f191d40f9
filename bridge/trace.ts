import type { Attributes, Span } from '@opentelemetry/api'
import { INVALID_SPAN_CONTEXT, ProxyTracerProvider, SpanStatusCode, context, trace } from '@opentelemetry/api'

/** Runs `work` in a span that ends with it; a throw marks the span as failed and goes on. */
export async function inSpan<T>(name: string, attributes: Attributes, work: (span: Span) => Promise<T>): Promise<T> {
  // Nobody looks: a span that records nothing, and a context around it, still take as long as a policy's decision.
  if (!isTraced()) return work(NO_SPAN)
  return trace.getTracer(TRACER).startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
}

const TRACER = 'drawbridge'
const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT)

function isTraced(): boolean {
  const provider = trace.getTracerProvider()
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(TRACER) !== undefined
}

/** The function, run in the span of this moment: for callbacks that come from a pipe or a timer. */
export function inThisSpan<Args extends readonly unknown[], Result>(
  work: (...args: Args) => Result,
): (...args: Args) => Result {
  const active = context.active()
  return (...args) => context.with(active, () => work(...args))
}
