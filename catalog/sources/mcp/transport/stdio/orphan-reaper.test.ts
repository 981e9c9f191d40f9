import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { fixture, isAlive, until } from '../../fixtures/recorded-source.ts'

test.skipIf(process.platform === 'win32')(
  'a gateway that is killed leaves no server behind, nor what that started, even if both ignore SIGTERM',
  async () => {
    const gateway = spawn(process.execPath, [fixture('killed-gateway.ts')], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = await once(createInterface({ input: gateway.stdout }), 'line')
    const pids: readonly number[] = JSON.parse(String(line))
    expect(pids).toHaveLength(2)
    expect(pids.every(isAlive)).toBe(true)
    gateway.kill('SIGKILL')
    await until(() => !pids.some(isAlive))
  },
)
