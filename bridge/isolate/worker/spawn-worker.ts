import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { spawn } from 'node:child_process'
import type { WorkerCommandLine } from './worker-command.ts'

/** Starts a worker with nothing of ours but three pipes: those that run programs as the one whose confinement is tried. */
export function spawnWorker({ file, args }: Pick<WorkerCommandLine, 'file' | 'args'>): ChildProcessWithoutNullStreams {
  return spawn(file, args, {
    env: {},
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe'],
    // A process group of its own: a signal to the gateway's terminal is not the worker's.
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
}
