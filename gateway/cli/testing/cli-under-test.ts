import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { openStateDirectory } from '../../state/state-dir.ts'
import type { CliDeps, McpServeOptions, ServeOptions } from '../cli-deps.ts'
import { runCli } from '../cli.ts'

export interface CliUnderTest {
  readonly folder: string
  readonly stateDirectory: string
  /** Requests that the commands made. */
  readonly requests: {
    readonly method: string
    readonly url: string
    readonly body: unknown
    readonly headers: Headers
  }[]
  readonly served: ServeOptions[]
  readonly servedStdio: McpServeOptions[]
  readonly run: (...argv: readonly string[]) => Promise<Ended>
}

interface Ended {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

export interface UnderTestOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  readonly isTerminal?: boolean
  /** What the person types, when asked for. */
  readonly lines?: () => AsyncIterable<string>
  readonly onStderr?: (text: string) => void
  /** The person's browser. */
  readonly onOpenUrl?: (url: string) => void
  /** Answers in the order of the requests; a gateway "runs" when there are any. */
  readonly answers?: readonly { readonly status?: number; readonly body: unknown }[]
}

/** The commands in a folder of their own, with a stand-in for the network. */
export async function cliUnderTest(options: UnderTestOptions = {}): Promise<CliUnderTest> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'drawbridge-cli-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const stateDirectory = path.join(folder, 'state')
  await mkdir(stateDirectory)
  if (options.answers) await pretendToRun(stateDirectory)
  const requests: CliUnderTest['requests'] = []
  const served: ServeOptions[] = []
  const servedStdio: McpServeOptions[] = []
  const fetch: CliDeps['fetch'] = async (input, init) => {
    const request = new Request(input, init)
    const sent = await request.text()
    const body: unknown = sent === '' ? undefined : JSON.parse(sent)
    requests.push({ method: request.method, url: request.url, body, headers: request.headers })
    const answer = options.answers?.[requests.length - 1]
    if (!answer) throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
    return new Response(text, { status: answer.status ?? 200 })
  }
  const run: CliUnderTest['run'] = async (...argv) => {
    const [out, err]: [string[], string[]] = [[], []]
    const exitCode = await runCli(argv, {
      stdout: (text) => void out.push(text),
      stderr: (text) => {
        err.push(text)
        options.onStderr?.(text)
      },
      isTerminal: options.isTerminal ?? false,
      env: { DRAWBRIDGE_STATE_DIR: stateDirectory, ...options.env },
      cwd: folder,
      now: () => 1_000,
      fetch,
      readFile: (file) => readFile(file, 'utf8'),
      readStdin: async () => options.stdin ?? '',
      readLines: () => options.lines?.() ?? noLines(),
      openUrl: (url) => options.onOpenUrl?.(url),
      version: '1.2.3',
      importModule: (url) => import(url),
      abandonHandles: () => undefined,
      serve: async (given) => served.push(given) && 0,
      serveStdio: async (given) => servedStdio.push(given) && 0,
    })
    return { exitCode, stdout: out.join(''), stderr: err.join('') }
  }
  return { folder, stateDirectory, requests, served, servedStdio, run }
}

async function* noLines(): AsyncIterable<string> {}

/** Holds the state directory, as a running gateway does. */
async function pretendToRun(stateDirectory: string): Promise<void> {
  const directory = await openStateDirectory(stateDirectory, { pid: process.pid, nowMs: 1 })
  onTestFinished(() => directory.close())
  await directory.announce('http://127.0.0.1:8790')
  await writeFile(path.join(stateDirectory, 'tokens'), JSON.stringify({ chat: 'db_chat', admin: 'db_admin' }))
}
