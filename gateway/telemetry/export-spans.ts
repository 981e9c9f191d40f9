import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'

export interface Tracing {
  /** Sends what is waiting; safe to call twice. */
  close(): Promise<void>
}

/** Sets the SDK up behind `@opentelemetry/api`. */
export function exportSpans(endpoint: string, version: string): Tracing {
  const exporter = new OTLPTraceExporter({ url: new URL('v1/traces', withSlash(endpoint)).href })
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'drawbridge', 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  })
  const manager = new AsyncLocalStorageContextManager().enable()
  context.setGlobalContextManager(manager)
  trace.setGlobalTracerProvider(provider)
  return {
    async close() {
      trace.disable()
      context.disable()
      // A collector that is away must not keep the gateway from stopping.
      await provider.shutdown().catch(() => {})
    },
  }
}

function withSlash(url: string): string {
  return url.endsWith('/') ? url : `${url}/`
}
