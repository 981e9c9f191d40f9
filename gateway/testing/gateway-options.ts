import path from 'node:path'
import type { GatewayOptions } from '../build-gateway.ts'
import { readConfig } from '../config/read-config.ts'
import { openStateDirectory } from '../state/state-dir.ts'

export interface GatewayPlace {
  readonly folder: string
  readonly config?: string
  readonly environmentToken?: string | undefined
}

/** What a gateway without a terminal is built from; whoever asks closes the state. */
export async function gatewayOptions(place: GatewayPlace): Promise<GatewayOptions> {
  const { folder, config: text = '{}', environmentToken } = place
  const config = await readConfig(text, { env: {}, directory: folder })
  if (config.kind === 'invalid') throw new Error('the configuration of the test is invalid')
  return {
    state: await openStateDirectory(path.join(folder, 'state'), { pid: process.pid, nowMs: 1 }),
    config,
    directory: folder,
    environmentToken,
    importModule: (url) => import(url),
    stderr: { write: () => undefined },
    version: '0.0.0',
  }
}
