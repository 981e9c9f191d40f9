import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'

export interface SuiteServer {
  readonly url: string
  close(): Promise<void>
}

const SERVER = path.join(import.meta.dirname, 'server/suite-server.ts')

/** In a process of its own, as any server behind a gateway is. */
export async function startSuiteServer(): Promise<SuiteServer> {
  const child = spawn(process.execPath, [SERVER], { stdio: ['ignore', 'pipe', 'inherit'] })
  const killWithUs = (): void => void child.kill('SIGKILL')
  process.once('exit', killWithUs)
  const ended = once(child, 'exit')
  const failed = ended.then(([code]) => {
    throw new Error(`the suite's server ended with ${String(code)}`)
  })
  const lines = createInterface({ input: child.stdout })
  const [url] = await Promise.race([once(lines, 'line'), failed])
  // From here on its end is ours.
  failed.catch(() => undefined)
  return {
    url: String(url),
    async close() {
      child.kill('SIGTERM')
      await ended
      process.off('exit', killWithUs)
    },
  }
}
