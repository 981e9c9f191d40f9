import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** A gateway in small: starts a pool and a program that computes without end, says the pids of its workers, and waits. */
const GATEWAY = `
import { readFileSync } from 'node:fs'
import { createIsolatePool } from './bridge/isolate/pool.ts'
import { aRequest, NEVER } from './bridge/isolate/abuse/program-request.ts'
const pool = await createIsolatePool({ workersMin: 3 })
void pool.run(aRequest('for (;;);', { limits: { cpuMs: 20000, wallMs: 30000 } }), NEVER)
await new Promise((resolve) => setTimeout(resolve, 500))
console.log(readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8'))
setInterval(() => undefined, 1000)
`

test.skipIf(process.platform !== 'linux')('workers end when the gateway is killed, busy ones too', async () => {
  const root = new URL('../../../', import.meta.url)
  const gateway = spawn(process.execPath, ['--input-type=module', '-e', GATEWAY], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const pids = await new Promise<readonly number[]>((resolve, reject) => {
    gateway.on('exit', () => reject(new Error('the gateway ended by itself')))
    gateway.stdout.on('data', (chunk: Buffer) => resolve(chunk.toString().trim().split(' ').map(Number)))
  })
  gateway.kill('SIGKILL')
  expect(pids.length).toBeGreaterThanOrEqual(3)
  await expect.poll(() => pids.filter(isAlive), { timeout: 10_000 }).toEqual([])
})

function isAlive(pid: number): boolean {
  const file = `/proc/${pid}/stat`
  // A zombie has ended; nobody has asked for its code yet.
  return existsSync(file) && !/\) [ZX] /.test(readFileSync(file, 'utf8'))
}
