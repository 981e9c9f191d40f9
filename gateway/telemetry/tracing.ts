import type { Tracing } from './export-spans.ts'

/** Without an endpoint `@opentelemetry/api` stays a no-op, and its SDK, three hundred files, is not loaded. */
export async function startTracing(endpoint: string | undefined, version: string): Promise<Tracing> {
  if (endpoint === undefined) return { close: async () => {} }
  const { exportSpans } = await import('./export-spans.ts')
  return exportSpans(endpoint, version)
}
