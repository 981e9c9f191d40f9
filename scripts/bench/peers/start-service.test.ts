import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { ServiceCommand } from './start-service.ts'
import { startService } from './start-service.ts'

function aCommand(code: string): ServiceCommand {
  return { name: 'it', args: ['-e', code], cwd: tmpdir(), env: {}, readAddress: (line) => /^at (.+)$/.exec(line)?.[1] }
}

/** A launcher that does not pass signals on to its child, whose id is the address. */
const LAUNCHER = `
process.on('SIGTERM', () => process.exit(0))
const child = require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
console.log('starting')
console.log('at ' + child.pid)
setInterval(() => {}, 1000)`

test.skipIf(process.platform === 'win32')('stopping a service stops what it launched', async () => {
  const service = await startService(aCommand(LAUNCHER))
  const pid = Number(service.address)
  expect(isRunning(pid)).toBe(true)
  await service.stop()
  await service.stop()
  for (let tries = 0; tries < 100 && isRunning(pid); tries += 1) await pause(50)
  expect(isRunning(pid)).toBe(false)
})

test('a service that ends before it serves says what it wrote', async () => {
  const starting = startService(aCommand('console.error("no port is free"); process.exit(3)'))
  await expect(starting).rejects.toThrow(/it ended before it served anything:\nno port is free/)
})

/** One that nobody has waited for yet (a zombie) counts as ended. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch {
    // No such process.
    return false
  }
}

function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false
  return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
}
