import type { Attributes, Span } from '@opentelemetry/api'
import { SpanStatusCode, context, trace } from '@opentelemetry/api'

/** Runs `work` in a span that ends with it; a throw marks the span as failed and goes on. */
export async function inSpan<T>(name: string, attributes: Attributes, work: (span: Span) => Promise<T>): Promise<T> {
  return trace.getTracer('drawbridge').startActiveSpan(name, { attributes }, async (span) => {
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

/** The function, run in the span of this moment: for callbacks that come from a pipe or a timer. */
export function inThisSpan<Args extends readonly unknown[], Result>(
  work: (...args: Args) => Result,
): (...args: Args) => Result {
  const active = context.active()
  return (...args) => context.with(active, () => work(...args))
}
