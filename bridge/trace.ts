import type { Attributes, Span } from '@opentelemetry/api'
import { SpanStatusCode, trace } from '@opentelemetry/api'

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
