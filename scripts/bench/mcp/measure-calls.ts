import type { Client } from '@modelcontextprotocol/client'
import type { Measured } from '../gateway/measure-turns.ts'

export interface CalledTool {
  readonly client: Client
  readonly name: string
}

const MESSAGE = 'the quick brown fox jumps over the lazy dog'

/** Makes calls, so many at a time, each with its answer checked: a figure of failures would be a flattering one. */
export async function measureCalls({ client, name }: CalledTool, calls: number, inFlight: number): Promise<Measured> {
  const latenciesMs: number[] = []
  let started = 0
  const work = async (): Promise<void> => {
    while (started < calls) {
      started += 1
      const startMs = performance.now()
      const result = await client.callTool({ name, arguments: { message: MESSAGE } })
      latenciesMs.push(performance.now() - startMs)
      if (!JSON.stringify(result.content).includes(MESSAGE))
        throw new Error(`"${name}" answered ${JSON.stringify(result)}`)
    }
  }
  const startMs = performance.now()
  await Promise.all(Array.from({ length: inFlight }, work))
  return { latenciesMs, elapsedMs: performance.now() - startMs }
}
