import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { IsolateError } from '../errors.ts'
import { FrameReader } from '../frames.ts'
import { WORKER_START_MS } from '../limits.ts'
import { spawnWorker } from './spawn-worker.ts'
import type { Confinement, WorkerCommandLine, WorkerFiles } from './worker-command.ts'
import { listConfinements } from './worker-command.ts'

/** What a worker tries at its start, and must fail at. */
const FORBIDDEN = ['read', 'write', 'connect', 'listen', 'spawn', 'addon', 'thread', 'inspector'] as const

/**
 * The strongest confinement that starts on this machine, after a worker of it has tried to break out by every ordinary
 * means and failed.
 * @throws {IsolateError} when none starts, or when a worker could do what it must not
 */
export async function confine(files: WorkerFiles, jit: boolean): Promise<Confinement> {
  let problem = 'no way to start one'
  for (const confinement of listConfinements(files, jit)) {
    const report = await check(confinement.commandLine(0))
    if (report.kind === 'not-started') {
      problem = `${confinement.description}: ${report.reason}`
      continue
    }
    const able = FORBIDDEN.filter((name) => report.refused[name] !== true)
    if (able.length === 0) return confinement
    throw new IsolateError(
      'isolate-not-confined',
      `a worker is able to: ${able.join(', ')}; code mode would not be safe`,
    )
  }
  throw new IsolateError('isolate-worker-failed', `no worker starts: ${problem}`)
}

type Report =
  | { readonly kind: 'not-started'; readonly reason: string }
  | { readonly kind: 'tried'; readonly refused: Readonly<Record<string, unknown>> }

/** Something is really listening: a refusal is then the confinement's, not an empty port's. */
async function check(command: WorkerCommandLine): Promise<Report> {
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const address = server.address()
    return await runCheck(command, isPortAddress(address) ? address.port : 0)
  } finally {
    server.close()
  }
}

function runCheck(command: WorkerCommandLine, port: number): Promise<Report> {
  return new Promise((resolve) => {
    const child = spawnWorker({ file: command.file, args: [...command.args, 'check', `${port}`] })
    const reader = new FrameReader()
    let stderr = ''
    const timer = setTimeout(() => child.kill('SIGKILL'), WORKER_START_MS)
    const finish = (report: Report): void => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      resolve(report)
    }
    child.stdin.on('error', () => undefined)
    child.stdout.on('data', (chunk: Buffer) => {
      try {
        for (const text of reader.push(chunk)) finish({ kind: 'tried', refused: parseReport(text) })
      } catch (error) {
        finish({ kind: 'not-started', reason: String(error) })
      }
    })
    child.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString('utf8')).slice(-500)))
    child.on('error', (error) => finish({ kind: 'not-started', reason: error.message }))
    child.on('exit', (code, signal) =>
      finish({ kind: 'not-started', reason: `exit ${code ?? signal} ${stderr.trim()}` }),
    )
  })
}

function parseReport(text: string): Readonly<Record<string, unknown>> {
  const report: unknown = JSON.parse(text)
  return typeof report === 'object' && report !== null ? { ...report } : {}
}

function isPortAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null
}
