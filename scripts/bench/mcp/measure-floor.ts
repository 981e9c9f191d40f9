import path from 'node:path'
import { measureInRounds } from '../paired/measure-in-rounds.ts'
import { summarisePair } from '../paired/summarise-pair.ts'
import type { Revision } from './bench-client.ts'
import { connectBenchClient } from './bench-client.ts'
import type { CalledTool } from './measure-calls.ts'
import { measureCalls } from './measure-calls.ts'
import type { PrintRow } from './print-row.ts'
import { startListener } from './start-listener.ts'

const BARE = path.join(import.meta.dirname, 'bare-gateway.ts')

export interface Floor {
  readonly folder: string
  /** Of the tool's server over HTTP. */
  readonly url: string
  readonly calls: number
  readonly revisions: readonly Revision[]
  readonly print: PrintRow
}

/** What a gateway of the same stack adds that does nothing but pass calls on, as the engine `floor`. */
export async function measureFloor({ folder, url, calls, revisions, print }: Floor): Promise<void> {
  const bare = await startListener({ name: 'the bare gateway', args: [BARE, url], folder })
  try {
    for (const revision of revisions) {
      const through = await connectBenchClient({ url: `${bare.address}/echo` }, revision)
      const straight = await connectBenchClient({ url }, revision)
      const pair = { direct: { client: straight, name: 'echo' }, drawbridge: { client: through, name: 'echo' } }
      for (const engine of [pair.direct, pair.drawbridge]) await measureCalls(engine, Math.ceil(calls / 3), 4)
      const measured = await measureInRounds(pair, calls, (tool: CalledTool, perRound) =>
        measureCalls(tool, perRound, 1),
      )
      const rows = summarisePair('call', measured).filter(({ engine }) => engine === 'drawbridge')
      for (const row of rows) print({ ...row, engine: 'floor', server: 'http', revision, inFlight: 1 })
      await Promise.all([through.close(), straight.close()])
    }
  } finally {
    await bare.stop()
  }
}
