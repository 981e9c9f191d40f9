import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ROOT } from './testing/gateway-process.ts'
import { waitUntil } from './testing/wait-until.ts'

const START_BUDGET_MS = 60_000

/** `npm start` as in a terminal: npm, its shell, the launcher and the gateway in one process group. */
async function npmStart() {
  const folder = await mkdtemp(path.join(tmpdir(), 'drawbridge-signals-'))
  const [state, config] = [path.join(folder, 'state'), path.join(folder, 'drawbridge.json5')]
  await writeFile(config, '{}\n')
  const npm = spawn('npm', ['start', '--', '--port', '0', '--state-dir', state, '--config', config, '--json'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  onTestFinished(async () => {
    signalGroup(npm, 'SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  let output = ''
  npm.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const line = await waitUntil('the gateway listens', () => /^\{"event":"listening".*\}$/m.exec(output)?.[0])
  const url: string = JSON.parse(line).url
  return {
    npm,
    url,
    /** What a gateway that stops as it should takes away, and what it logs. */
    hasStoppedCleanly: async (): Promise<boolean> => {
      const isThere = await access(path.join(state, 'gateway.json')).then(
        () => true,
        () => false,
      )
      return !isThere && (await readFile(path.join(state, 'logs/gateway.log'), 'utf8')).includes('"msg":"stopping"')
    },
  }
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch (error) {
    // Nobody is left in the group.
    if (!(error instanceof Error && Reflect.get(error, 'code') === 'ESRCH')) throw error
  }
}

const listens = (url: string): Promise<boolean> =>
  fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  )

test(
  'Ctrl-C reaches the gateway from the terminal and from its launcher, and is one clean stop',
  async () => {
    const { npm, url, hasStoppedCleanly } = await npmStart()
    signalGroup(npm, 'SIGINT')
    await waitUntil('nothing listens', async () => !(await listens(url)))
    expect(await waitUntil('the stop is clean', hasStoppedCleanly)).toBe(true)
  },
  START_BUDGET_MS,
)

test(
  'a signal to npm alone, as a supervisor sends it, leaves no gateway behind',
  async () => {
    const { npm, url, hasStoppedCleanly } = await npmStart()
    npm.kill('SIGTERM')
    await waitUntil('nothing listens', async () => !(await listens(url)))
    expect(await waitUntil('the stop is clean', hasStoppedCleanly)).toBe(true)
  },
  START_BUDGET_MS,
)
