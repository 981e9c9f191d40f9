// The command line in its process: what it reads, writes and is stopped by.
import { readFile } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { runCli } from './cli/cli.ts'
import { openInBrowser } from './cli/open-in-browser.ts'
import { packageVersion } from './version.ts'

const version = packageVersion()
const stdout = (written: string): void => void process.stdout.write(written)
const stderr = (written: string): void => void process.stderr.write(written)
const { env } = process
let isServing = false
// A reader that has seen enough (`| head`) is no failure; a gateway goes on without one.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') {
    stderr(`error: stdout cannot be written: ${error.message}\n`)
    process.exit(1)
  }
  if (!isServing) process.exit(0)
})
// Nobody is left to be told.
process.stderr.on('error', () => {})

/** Time for the last lines to be written; a command that holds nothing open ends at once. */
const ABANDON_MS = 2_000

const exitCode = await runCli(process.argv.slice(2), {
  stdout,
  stderr,
  isTerminal: process.stdout.isTTY,
  env,
  cwd: process.cwd(),
  now: Date.now,
  fetch,
  readFile: (file) => readFile(file, 'utf8'),
  readStdin: () => text(process.stdin),
  readLines: (signal) => createInterface({ input: process.stdin, signal }),
  openUrl: openInBrowser,
  version,
  importModule: (url) => import(url),
  abandonHandles: () => void setTimeout(() => process.exit(), ABANDON_MS).unref(),
  async serve(options) {
    // Only here: the other commands start in a fraction of the time that the server takes to load.
    const { serveUntilStopped } = await import('./serving/serve-until-stopped.ts')
    const importModule = (url: string): Promise<unknown> => import(url)
    isServing = true
    const code = await serveUntilStopped(options, {
      stdout,
      stderr,
      isTerminal: process.stderr.isTTY,
      env,
      cwd: process.cwd(),
      importModule,
      version,
      // Only a checkout runs the TypeScript.
      command: import.meta.url.endsWith('.ts') ? 'npx --no drawbridge' : 'drawbridge',
    })
    // A plugin's or library's open handle must not keep a stopped gateway alive.
    process.exit(code)
  },
  async serveStdio(options) {
    const { serveStdio } = await import('./serving/serve-stdio.ts')
    const output = protocolOutput()
    const importModule = (url: string): Promise<unknown> => import(url)
    const { stdin: input } = process
    const code = await serveStdio(options, {
      input,
      output,
      stderr,
      env,
      cwd: process.cwd(),
      fetch,
      importModule,
      version,
    })
    process.exit(code)
  },
})
process.exitCode = exitCode

/** Stdout for the protocol alone: what a plugin prints there goes to stderr, where people look for it. */
function protocolOutput(): PassThrough {
  const output = new PassThrough()
  const write = process.stdout.write.bind(process.stdout)
  output.on('data', (chunk: Buffer) => {
    if (write(chunk)) return
    output.pause()
    process.stdout.once('drain', () => output.resume())
  })
  process.stdout.write = process.stderr.write.bind(process.stderr)
  return output
}
