import type { Client } from '@modelcontextprotocol/client'
import type { Measured } from '../paired/measure-each.ts'
import { measureEach } from '../paired/measure-each.ts'

export interface CalledTool {
  readonly client: Client
  readonly name: string
}

const MESSAGE = 'the quick brown fox jumps over the lazy dog'

/** Makes calls, so many at a time, each with its answer checked: a figure of failures would be a flattering one. */
export function measureCalls({ client, name }: CalledTool, calls: number, inFlight: number): Promise<Measured> {
  return measureEach(calls, inFlight, async () => {
    const startMs = performance.now()
    const result = await client.callTool({ name, arguments: { message: MESSAGE } })
    const latencyMs = performance.now() - startMs
    if (JSON.stringify(result.content).includes(MESSAGE)) return latencyMs
    throw new Error(`"${name}" answered ${JSON.stringify(result)}`)
  })
}
