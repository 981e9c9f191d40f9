import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { isJsonObject } from '../../catalog/json.ts'

/** What a gateway says of itself in its state directory. */
export interface RunningGateway {
  readonly pid: number
  readonly startedMs: number
  /** `http://127.0.0.1:8790`; absent until it listens. */
  readonly address?: string
}

export function runningGatewayFile(stateDirectory: string): string {
  return path.join(stateDirectory, 'gateway.json')
}

/** Who holds the state directory, or held it when it was killed; undefined when none says so. */
export async function readRunningGateway(stateDirectory: string): Promise<RunningGateway | undefined> {
  try {
    return parse(JSON.parse(await readFile(runningGatewayFile(stateDirectory), 'utf8')))
  } catch {
    // Absent, or not ours to read: then nobody is known to run.
    return undefined
  }
}

function parse(value: unknown): RunningGateway | undefined {
  if (!isJsonObject(value)) return undefined
  const { pid, startedMs, address } = value
  if (typeof pid !== 'number' || typeof startedMs !== 'number') return undefined
  return { pid, startedMs, ...(typeof address === 'string' && { address }) }
}
