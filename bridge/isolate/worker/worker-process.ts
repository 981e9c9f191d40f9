import { FrameReader, encodeFrame } from '../frames.ts'
import { parseEvent } from '../parse-event.ts'
import type { WorkerCommand, WorkerEvent } from '../protocol.ts'
import { spawnWorker } from './spawn-worker.ts'
import type { WorkerCommandLine } from './worker-command.ts'

/** Standard error is kept only to say why a worker did not start. */
const STDERR_CHARS = 2000

export interface WorkerExit {
  readonly reason: string
  /** Killed from outside (by us, an operator, the kernel), not by what it did itself. */
  readonly wasKilled: boolean
}

export interface WorkerListener {
  onEvent(event: WorkerEvent, bytes: number): void
  /** Once, whatever the reason; nothing comes after it. */
  onExit(exit: WorkerExit): void
}

/** One child process and its two pipes. */
export interface WorkerProcess {
  readonly pid: number
  send(command: WorkerCommand): void
  /** SIGKILL: the only way in which a worker ends. */
  kill(): void
}

export function startWorkerProcess(command: WorkerCommandLine, listener: WorkerListener): WorkerProcess {
  const child = spawnWorker(command)
  const reader = new FrameReader()
  let stderr = ''
  let hasExited = false
  const exited = (exit: WorkerExit): void => {
    if (hasExited) return
    hasExited = true
    listener.onExit(exit)
  }
  child.stdout.on('data', (chunk: Buffer) => {
    if (hasExited) return
    try {
      for (const text of reader.push(chunk)) listener.onEvent(parseEvent(text), text.length)
    } catch (error) {
      child.kill('SIGKILL')
      exited({ reason: error instanceof Error ? error.message : String(error), wasKilled: false })
    }
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(-STDERR_CHARS)
  })
  // Writing to a worker that has just died: its exit says so.
  child.stdin.on('error', () => undefined)
  child.on('error', (error) => exited({ reason: error.message, wasKilled: false }))
  child.on('exit', (code, signal) => {
    const said = stderr === '' ? '' : `: ${stderr.trim()}`
    exited({ reason: `exit ${code ?? signal}${said}`, wasKilled: signal === 'SIGKILL' })
  })
  return {
    pid: child.pid ?? 0,
    send: (message) => {
      if (!hasExited) child.stdin.write(encodeFrame(message))
    },
    kill: () => child.kill('SIGKILL'),
  }
}
