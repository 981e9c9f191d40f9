import type { Attributes, Span, SpanKind } from '@opentelemetry/api'
import { INVALID_SPAN_CONTEXT, ProxyTracerProvider, SpanStatusCode, context, trace } from '@opentelemetry/api'

/** The name of a span, with its kind where that is not `INTERNAL`. */
export type SpanName = string | { readonly name: string; readonly kind: SpanKind }

/** Runs `work` in a span that ends with it; a throw marks the span as failed and goes on. */
export async function inSpan<T>(named: SpanName, attributes: Attributes, work: (span: Span) => Promise<T>): Promise<T> {
  // Nobody looks: a span that records nothing, and a context around it, still take as long as a policy's decision.
  if (!isTraced()) return work(NO_SPAN)
  const { name, ...kind } = typeof named === 'string' ? { name: named } : named
  return trace.getTracer(TRACER).startActiveSpan(name, { attributes, ...kind }, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      span.setAttribute('error.type', errorType(error))
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
}

/** Of a few values: a code, else the kind of the error, and never its message. */
function errorType(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
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
