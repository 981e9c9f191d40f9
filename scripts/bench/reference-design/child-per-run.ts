import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Answers what a program asks; the same data for every engine. */
export type Ask = (kind: string, args: readonly unknown[]) => unknown

const CHILD = fileURLToPath(new URL('child.mjs', import.meta.url))

/** The reference design: a new Node for each program, with the permission model, an empty environment and IPC. */
export function runInChild(code: string, ask: Ask): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const child = fork(CHILD, [], {
      execArgv: ['--permission', `--allow-fs-read=${CHILD}`, '--no-warnings'],
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    child.on('error', reject)
    child.on('exit', () => reject(new Error('the child ended before the program')))
    child.on('message', (message) => {
      if (!isMessage(message)) return
      if (message.kind === 'ask') {
        child.send({ id: message.id, value: ask(message.operation ?? '', message.args ?? []) })
      } else if (message.kind === 'end') {
        child.removeAllListeners('exit')
        child.kill('SIGKILL')
        if (message.error === undefined) resolve(message.value)
        else reject(new Error(message.error))
      }
    })
    child.send({ kind: 'start', code })
  })
}

interface ChildMessage {
  readonly kind: string
  readonly id?: number
  readonly operation?: string
  readonly args?: readonly unknown[]
  readonly value?: unknown
  readonly error?: string
}

function isMessage(value: unknown): value is ChildMessage {
  return typeof value === 'object' && value !== null && 'kind' in value
}
