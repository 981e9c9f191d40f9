import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { isJsonObject } from '../../catalog/json.ts'

/** What a gateway says of itself in its state directory. */
export interface RunningGateway {
  readonly pid: number
  readonly startedMs: number
  /** `http://127.0.0.1:8790`; absent until it listens. */
  readonly address?: string
  /** The configuration file that it read last. */
  readonly config?: AnnouncedConfig
}

export interface AnnouncedConfig {
  /** Absent where there is none: the defaults hold, or (refused) what the one held that is gone. */
  readonly file?: string
  /** Of the file's text. */
  readonly hash?: string
  readonly verdict: 'in-force' | 'refused'
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
  const config = parseConfig(value['config'])
  return { pid, startedMs, ...(typeof address === 'string' && { address }), ...(config && { config }) }
}

function parseConfig(value: unknown): AnnouncedConfig | undefined {
  if (!isJsonObject(value)) return undefined
  const { file, hash, verdict } = value
  if (verdict !== 'in-force' && verdict !== 'refused') return undefined
  return { verdict, ...(typeof file === 'string' && { file }), ...(typeof hash === 'string' && { hash }) }
}
