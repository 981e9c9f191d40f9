import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { NEVER, aRequest } from '../../bridge/isolate/abuse/program-request.ts'
import { readConfig } from '../config/read-config.ts'
import { startSandbox } from './start-sandbox.ts'

test('no more workers start than the configuration allows, however many programs wait', async () => {
  const read = await readConfig('{ sandbox: { workersMax: 3 } }', { directory: '/', env: {} })
  if (read.kind === 'invalid') throw new Error('the configuration is refused')
  const sandbox = await startSandbox(read.config, pino({ level: 'silent' }))
  const { host } = sandbox
  if (host === undefined) throw new Error(sandbox.reason)
  const tool = Promise.withResolvers<void>()
  const answer = async () => ({ kind: 'value', value: await tool.promise.then(() => 1) }) as const
  const waiting = Array.from({ length: 5 }, (_, n) =>
    host.run(aRequest('return await tools.slow()', { tenant: `tenant ${n}`, answer }), NEVER),
  )
  await vi.waitFor(() => expect(host.status().busy).toBe(3), { timeout: 4000 })
  expect(host.status()).toMatchObject({ workers: 3, queued: 2 })
  tool.resolve()
  const ends = await Promise.all(waiting)
  expect(ends.map((end) => end.kind)).toEqual(Array(5).fill('value'))
  await sandbox.close()
})
