import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isJsonObject } from '../../../catalog/json.ts'
import { readRunningGateway } from '../../../gateway/state/running-gateway.ts'
import { startService } from '../peers/start-service.ts'

/** A gateway that listens; its sources may still be connecting. */
export interface BenchGateway {
  readonly url: string
  /** An admin token. */
  readonly token: string
  readonly pid: number
  stop(): Promise<void>
}

const MAIN = path.resolve(import.meta.dirname, '../../../gateway/main.ts')

/** @throws {Error} with the end of its output, when it does not come to listen */
export async function startBenchGateway(folder: string, config: object): Promise<BenchGateway> {
  await mkdir(folder, { recursive: true })
  const [state, file] = [path.join(folder, 'state'), path.join(folder, 'drawbridge.json5')]
  await writeFile(file, JSON.stringify(config))
  const token = `bench-${randomBytes(24).toString('hex')}`
  const { PATH = '', HOME = '' } = process.env
  const service = await startService({
    name: 'the gateway',
    args: [MAIN, 'serve', '--port', '0', '--json'],
    cwd: folder,
    // Nothing of the shell's own: a key in the environment would choose another provider.
    env: { PATH, HOME, DRAWBRIDGE_STATE_DIR: state, DRAWBRIDGE_CONFIG: file, DRAWBRIDGE_TOKEN: token },
    readAddress: readListening,
  })
  const running = await readRunningGateway(state)
  if (running === undefined) throw new Error('the gateway does not say its process id')
  return { url: service.address, token, pid: running.pid, stop: () => service.stop() }
}

/** The address of a line `{"event":"listening","url":"…"}`; undefined for any other line. */
function readListening(line: string): string | undefined {
  const said: unknown = line.startsWith('{') ? JSON.parse(line) : undefined
  if (!isJsonObject(said) || said['event'] !== 'listening') return undefined
  return typeof said['url'] === 'string' ? said['url'] : undefined
}
