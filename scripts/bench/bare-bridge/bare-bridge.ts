import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { FrameReader, encodeFrame } from '../../../bridge/isolate/frames.ts'
import { spawnWorker } from '../../../bridge/isolate/worker/spawn-worker.ts'
import { findAddon, listConfinements } from '../../../bridge/isolate/worker/worker-command.ts'

/** Answers what a program asks; the same data for every engine. */
export type AnswerAsk = (kind: string, args: unknown) => unknown

export interface BareBridge extends Disposable {
  run(code: string, answer: AnswerAsk): Promise<unknown>
}

interface Worker {
  send(message: object): void
  /** The next text that it sends. */
  next(): Promise<string>
}

const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url))

/**
 * The floor: programs in fresh isolates made ahead, in workers with our flags, and nothing else of a bridge. Whatever keeps
 * to one isolate for each run takes at least this.
 */
export async function startBareBridge(workers: number): Promise<BareBridge> {
  const children = Array.from({ length: workers }, startChild)
  const idle: Worker[] = []
  const waiting: ((worker: Worker) => void)[] = []
  const release = (worker: Worker): void => {
    const next = waiting.shift()
    if (next === undefined) idle.push(worker)
    else next(worker)
  }
  await Promise.all(
    children.map(async (child) => {
      const worker = workerOf(child)
      await worker.next()
      idle.push(worker)
    }),
  )
  return {
    async run(code, answer) {
      const worker = idle.shift() ?? (await new Promise<Worker>((resolve) => void waiting.push(resolve)))
      const value = await runIn(worker, code, answer)
      // Whoever asked goes first.
      setImmediate(() => {
        worker.send({})
        void worker.next().then(() => release(worker))
      })
      return value
    },
    [Symbol.dispose]() {
      for (const child of children) child.kill('SIGKILL')
    },
  }
}

async function runIn(worker: Worker, code: string, answer: AnswerAsk): Promise<unknown> {
  worker.send({ code })
  for (;;) {
    for (const { id, kind, args, value } of JSON.parse(await worker.next())) {
      if (id === 0) return value
      worker.send({ id, json: JSON.stringify(await answer(kind, args)) })
    }
  }
}

function startChild(): ChildProcessWithoutNullStreams {
  const files = { node: process.execPath, addon: findAddon(), worker: WORKER }
  const plain = listConfinements(files, false).at(-1)?.commandLine(0)
  if (plain === undefined) throw new TypeError('no way to start a worker')
  return spawnWorker(plain)
}

function workerOf({ stdin, stdout }: ChildProcessWithoutNullStreams): Worker {
  const frames = new FrameReader()
  const texts: string[] = []
  let wanted: ((text: string) => void) | undefined
  stdout.on('data', (chunk: Buffer) => {
    texts.push(...frames.push(chunk))
    const text = wanted && texts.shift()
    if (text === undefined) return
    wanted?.(text)
    wanted = undefined
  })
  return {
    send: (message) => void stdin.write(encodeFrame(message)),
    next() {
      const text = texts.shift()
      if (text !== undefined) return Promise.resolve(text)
      return new Promise((resolve) => {
        wanted = resolve
      })
    },
  }
}
