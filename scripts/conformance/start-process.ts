import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A script that is ready once it has said where it is. */
export interface StartedProcess {
  /** The first line that it wrote. */
  readonly address: string
  close(): Promise<void>
}

/** @throws {Error} when it ends in place of saying where it is */
export async function startProcess(script: string): Promise<StartedProcess> {
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const killWithUs = (): void => void child.kill('SIGKILL')
  process.once('exit', killWithUs)
  const ended = once(child, 'exit')
  const failed = ended.then(([code]) => {
    throw new Error(`${script} ended with ${String(code)}`)
  })
  const lines = createInterface({ input: child.stdout })
  const [address] = await Promise.race([once(lines, 'line'), failed])
  // From here on its end is ours.
  failed.catch(() => undefined)
  return {
    address: String(address),
    async close() {
      child.kill('SIGTERM')
      await ended
      process.off('exit', killWithUs)
    },
  }
}
