import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { serializeMessage } from '@modelcontextprotocol/client'
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio'
import { withPlainLineEnds } from '../../../../line-ends.ts'
import { McpConnectError } from '../../errors.ts'
import type { McpTiming } from '../../limits.ts'
import { LAST_WORDS_MAX_LENGTH, STDIO_DRAIN_MS } from '../../limits.ts'
import type { StdioServerConfig } from '../../server-config.ts'
import type { AnswerGuard, RequestId, RequestWatch } from '../answer-guard.ts'
import { BAD_ANSWER_CODE, createAnswerGuard, OVERSIZE_ANSWER_CODE } from '../answer-guard.ts'
import type { OversizeLine } from './line-reader.ts'
import { answeredId, createLineReader } from './line-reader.ts'
import type { OrphanReaper } from './orphan-reaper.ts'
import { PipeIds } from './pipe-ids.ts'
import { endProcessGroup } from './process-group.ts'
import { startFault } from './start-fault.ts'
import { readStdoutLine } from './stdout-line.ts'

export interface StdioTransportDeps {
  readonly reaper: OrphanReaper
  readonly timing: McpTiming
  readonly maxMessageBytes: number
  readonly onStderr: (line: string) => void
  /** A line on stdout that is no message, or is our own. */
  readonly onNoise: (line: string) => void
  readonly onStrayAnswer: () => void
  readonly watch?: RequestWatch
}

/**
 * A server as a child process. Unlike the SDK's own transport: a process group of its own that is ended whole and with
 * the gateway, bounded memory, and stdout noise that is reported instead of thrown away.
 */
export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: Transport['onmessage']
  /** The SDK knows a stdio transport by `stderr` and `pid`, and takes a silent probe there for an old server. */
  readonly stderr = null
  readonly #config: StdioServerConfig
  readonly #deps: StdioTransportDeps
  readonly #guard: AnswerGuard
  readonly #ids = new PipeIds()
  #child: ChildProcess | undefined
  #ending: Promise<void> | undefined
  #isClosed = false
  #end: string | undefined
  #lastWords: string | undefined
  #lastFault: string | undefined
  #lastNoise: string | undefined

  constructor(config: StdioServerConfig, deps: StdioTransportDeps) {
    this.#config = config
    this.#deps = deps
    this.#guard = createAnswerGuard({
      deliver: (message) => this.onmessage?.(message),
      reportStray: deps.onStrayAnswer,
      ...(deps.watch && { watch: deps.watch }),
    })
  }

  get pid(): number | null {
    return this.#child?.pid ?? null
  }

  /** How the server ended by itself, if it did: `exited with code 1`. */
  get end(): string | undefined {
    return this.#end
  }

  /** The last line of its stderr that names a fault, else the last of all, else of its stdout; may quote our secrets. */
  get lastWords(): string | undefined {
    return this.#lastFault ?? this.#lastWords ?? this.#lastNoise
  }

  /** The last line of its stdout that is no message; may quote our secrets. */
  get lastNoise(): string | undefined {
    return this.#lastNoise
  }

  async start(): Promise<void> {
    const child = spawnServer(this.#config)
    this.#child = child
    const { promise: spawned, resolve, reject } = Promise.withResolvers<void>()
    child.once('spawn', resolve)
    child.once('error', (error: NodeJS.ErrnoException) => reject(startFault(this.#config, error)))
    if (child.pid !== undefined) this.#deps.reaper.watch(child.pid)
    this.#listen(child)
    await spawned
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { stdin, exitCode = null, signalCode = null } = this.#child ?? {}
    const hasEnded = this.#isClosed || exitCode !== null || signalCode !== null
    if (hasEnded || stdin === undefined || stdin === null || !stdin.writable) {
      throw new McpConnectError('exited', `the server ${this.#end ?? 'is not running'}`)
    }
    // A server that does not read must not make us hold what it will never take.
    if (stdin.writableLength > this.#deps.maxMessageBytes) {
      throw new McpConnectError('timed-out', 'the server does not read its stdin')
    }
    this.#guard.sent(message)
    stdin.write(withPlainLineEnds(serializeMessage(this.#ids.sent(message))))
  }

  async close(): Promise<void> {
    // Those who wait for an answer learn of it now; ending the group may take seconds.
    this.#closed()
    this.#ending ??= this.#endGroup()
    await this.#ending
  }

  #listen(child: ChildProcess): void {
    child.stdin?.on('error', (error) => {
      this.onerror?.(error)
      // It hears nothing more; one that has just ended says how in a moment.
      setTimeout(() => this.#endBecause('closed its stdin'), STDIO_DRAIN_MS).unref()
    })
    const readStdout = createLineReader({
      maxBytes: this.#deps.maxMessageBytes,
      onLine: (line) => this.#readLine(line),
      onOversize: (line) => this.#refuse(line),
      onEndless: (bytes) => this.#endFlood(bytes),
    })
    child.stdout?.on('data', readStdout)
    // Nothing will ever be answered; one that has just ended says how in a moment.
    child.stdout?.once('end', () => setTimeout(() => this.#endBecause('closed its stdout'), STDIO_DRAIN_MS).unref())
    const readStderr = createLineReader({
      maxBytes: this.#deps.maxMessageBytes,
      onLine: (line) => this.#readStderr(line),
      onOversize: ({ head }) => this.#readStderr(head),
      onEndless: () => this.#readStderr('(a line without end)'),
    })
    child.stderr?.on('data', readStderr)
    child.once('exit', (code, signal) => {
      this.#end ??= signal === null ? `exited with code ${code}` : `was ended by ${signal}`
      const finish = (): void => {
        // The last thing that is written before an end, an answer or what was wrong, often has no line feed.
        readStdout(LINE_FEED)
        readStderr(LINE_FEED)
        void this.close()
      }
      child.once('close', finish)
      setTimeout(finish, STDIO_DRAIN_MS).unref()
    })
  }

  #readStderr(line: string): void {
    if (line === '') return
    this.#lastWords = line.slice(0, LAST_WORDS_MAX_LENGTH)
    if (NAMES_FAULT.test(this.#lastWords)) this.#lastFault = this.#lastWords
    this.#deps.onStderr(line)
  }

  #readLine(line: string): void {
    if (line === '') return
    const { messages, badAnswers } = readStdoutLine(line)
    const arrived = messages.map((message) => this.#ids.received(message))
    for (const each of arrived) {
      if (each.kind === 'message') this.#guard.received(each.message)
      if (each.kind === 'stray') this.#deps.onStrayAnswer()
    }
    for (const id of badAnswers) this.#fail(id, BAD_ANSWER_CODE, 'the answer is no message of the protocol')
    if (arrived.some(({ kind }) => kind !== 'echo')) return
    this.#lastNoise = line.slice(0, LAST_WORDS_MAX_LENGTH)
    this.#deps.onNoise(line)
  }

  #refuse(line: OversizeLine): void {
    const id = answeredId(line)
    const reason = `the answer has ${line.bytes} bytes, more than the limit of ${this.#deps.maxMessageBytes}`
    if (id !== undefined) {
      this.#fail(id, OVERSIZE_ANSWER_CODE, reason)
      return
    }
    // Nobody can say who waits for it; all who wait must learn of it.
    this.#endFlood(line.bytes)
  }

  #fail(answered: RequestId, code: number, reason: string): void {
    const id = this.#ids.own(answered)
    if (id !== undefined) this.#guard.fail(id, code, reason)
  }

  #endFlood(bytes: number): void {
    this.#endBecause(`sent a message of ${bytes} bytes, more than the limit of ${this.#deps.maxMessageBytes}`)
  }

  #endBecause(reason: string): void {
    this.#end ??= reason
    void this.close()
  }

  async #endGroup(): Promise<void> {
    const child = this.#child
    if (child?.pid === undefined) return
    const { exitGraceMs, terminateGraceMs } = this.#deps.timing
    await endProcessGroup(child, { exitMs: exitGraceMs, terminateMs: terminateGraceMs })
    this.#deps.reaper.release(child.pid)
    child.stdout?.destroy()
    child.stderr?.destroy()
  }

  #closed(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.onclose?.()
  }
}

/** Leads a process group of its own. */
function spawnServer(config: StdioServerConfig): ChildProcess {
  const { command, args, cwd, env } = config
  try {
    return spawn(command, args ?? [], {
      // PATH, HOME and their like: without them `npx` finds neither node nor its cache. All else of the gateway's own
      // environment (keys of model providers, tokens) stays here.
      env: { ...getDefaultEnvironment(), ...env },
      ...(cwd === undefined ? {} : { cwd }),
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
  } catch (error) {
    // What the system answers at once, of some errors, and what is no argument at all: too long, or with a zero byte in it.
    throw startFault(config, error instanceof Error ? error : new Error(String(error)))
  }
}

const LINE_FEED = Buffer.from('\n')

/** After what was wrong, Node prints where and its version, Docker how to get help. */
const NAMES_FAULT =
  /(?<!')\b(?:\w*(?:error|exception)|fatal|cannot|could not|unable to|no such|not found|denied|refused|failed|missing|required|invalid)\b/i
