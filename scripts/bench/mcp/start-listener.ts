import type { Service } from '../peers/start-service.ts'
import { startService } from '../peers/start-service.ts'

export interface ListenerScript {
  /** For messages. */
  readonly name: string
  readonly args: readonly string[]
  readonly folder: string
}

/** A script that prints the address at which it listens. */
export function startListener({ name, args, folder }: ListenerScript): Promise<Service> {
  return startService({
    name,
    args,
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
    readAddress: (line) => (line.startsWith('http://') ? line : undefined),
  })
}
