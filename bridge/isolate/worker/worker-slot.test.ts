import { getPriority } from 'node:os'
import { afterEach, describe, expect, test } from 'vitest'
import { aRequest } from '../abuse/program-request.ts'
import { FRAME_MAX_BYTES } from '../limits.ts'
import type { ProgramEnd } from '../program-host.ts'
import { ProgramRun } from '../run/program-run.ts'
import { canReturn } from './cpu-priority.ts'
import type { SlotDeps } from './worker-slot.ts'
import { WorkerSlot } from './worker-slot.ts'

/** A worker in the hands of an attacker: says it is ready, and does `onStart` when it is given a program. */
const aWorker = (onStart: string, onReady = ''): string => `
const frame = (text) => { const bytes = Buffer.from(text); const header = Buffer.alloc(4); header.writeUInt32LE(bytes.length); return Buffer.concat([header, bytes]) }
const say = (event) => process.stdout.write(frame(typeof event === 'string' ? event : JSON.stringify(event)))
const step = (...messages) => say({ t: 'step', run: 1, messages, cpuUs: 1, heapBytes: 1 })
const call = (id) => ({ k: 'op', id, op: { kind: 'call', selector: { kind: 'text', text: 'plugin:slow:wait' }, args: { ms: 60000 }, options: {} } })
const end = (value) => ({ k: 'end', ok: true, value, droppedLog: 0 })
let input = Buffer.alloc(0)
process.stdin.on('data', (chunk) => {
  input = Buffer.concat([input, chunk])
  while (input.length >= 4 && input.length >= 4 + input.readUInt32LE(0)) {
    const command = JSON.parse(input.subarray(4, 4 + input.readUInt32LE(0)))
    input = input.subarray(4 + input.readUInt32LE(0))
    if (command.t === 'configure') { say({ t: 'ready', spares: 1 }); ${onReady} }
    if (command.t === 'start') { ${onStart} }
  }
})`

const slots: WorkerSlot[] = []
afterEach(() => slots.splice(0).forEach((slot) => slot.kill()))

interface Started {
  readonly slot: WorkerSlot
  readonly gone: Promise<string>
}

async function start(script: string, watched: Partial<SlotDeps> = {}): Promise<Started> {
  const idle = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<string>()
  const slot = new WorkerSlot({
    commandLine: { file: process.execPath, args: ['-e', script], wrapped: false },
    configure: {
      t: 'configure',
      memoryMb: 8,
      source: '',
      name: '',
      spares: 1,
      warmUp: { code: '', settings: '', answers: [] },
    },
    readUsage: undefined,
    canYield: () => false,
    onIdle: () => idle.resolve(),
    onGone: (_slot, end) => gone.resolve(end.reason),
    ...watched,
  })
  slots.push(slot)
  await idle.promise
  return { slot, gone: gone.promise }
}

/** Gives it one run and waits for that run's end. */
function runOn(slot: WorkerSlot): Promise<ProgramEnd> {
  const request = aRequest('return 1', { limits: { wallMs: 2000 } })
  return new Promise((resolve) => {
    const run = new ProgramRun({
      request,
      limits: request.limits,
      replaceWorker: async () => undefined,
      turn: () => undefined,
      onEnd: (end) => {
        if (slot.state === 'running') slot.release(end.worker)
        resolve(end)
      },
      onDefect: (error) => expect.fail(String(error)),
    })
    run.start(slot.assign(run, request.limits))
  })
}

describe('a worker that breaks protocol is killed, and its run says that it was lost', () => {
  test.each([
    ['says what is no JSON', "say('nonsense')"],
    ['says nothing in a frame', "say('')"],
    ['announces a frame beyond the bound', `process.stdout.write(Buffer.from([1, 0, 0, ${FRAME_MAX_BYTES >> 24}+1]))`],
    ['nests too deep', "say('['.repeat(100000))"],
    ['numbers its operations as it likes', 'step(call(7))'],
    ['asks twice under one number', 'step(call(1), call(1))'],
    ['ends more sections than were started', 'step(call(1)); step(); step()'],
    ['names a limit of its own', "step({ k: 'limit', limit: 'ESCAPED', droppedLog: 0 })"],
    ['sets a timer of a million years', "step({ k: 'timer', id: 1, ms: 1e15 })"],
    [
      'sends a prototype for a message',
      'say(\'{"t":"step","run":1,"messages":[{"__proto__":{"k":"end"}}],"cpuUs":1,"heapBytes":1}\')',
    ],
  ])('%s', async (_what, onStart) => {
    const { slot, gone } = await start(aWorker(onStart))
    const end = await runOn(slot)
    expect(end).toMatchObject({ kind: 'error', code: 'worker-lost' })
    expect(JSON.stringify(end)).not.toContain('ESCAPED')
    expect(await gone).not.toBe('killed')
    expect(slot.state).toBe('gone')
  })
})

test('frames of another run than its own reach nobody', async () => {
  const forged = "say({ t: 'step', run: 2, messages: [end('forged')], cpuUs: 1, heapBytes: 1 })"
  const { slot } = await start(aWorker(`${forged}; step(end('own'))`))
  expect(await runOn(slot)).toMatchObject({ kind: 'value', value: 'own' })
})

test('a worker that was stopped after the end of its program is not kept', async () => {
  const stopped = "say({ t: 'step', run: 1, messages: [end('own')], cpuUs: 1, heapBytes: 1, cause: 'timeout' })"
  const { slot } = await start(aWorker(stopped))
  expect(await runOn(slot)).toMatchObject({ kind: 'error', code: 'timeout', worker: 'retired' })
})

test('a worker that talks while nothing was asked of it is killed', async () => {
  const { gone } = await start(aWorker('', "setTimeout(() => say({ t: 'ready', spares: 9 }), 20)"))
  expect(await gone).toContain('idle')
})

test('a worker that never answers is ended by the wall clock', async () => {
  const { slot } = await start(aWorker(''))
  expect(await runOn(slot)).toMatchObject({ kind: 'error', code: 'timeout', worker: 'retired' })
})

describe('a program that computes for long', () => {
  /** One whose CPU time grows by so much from one look to the next. */
  async function computing(msPerLook: number, canYield: boolean) {
    let cpuMs = 0
    const readUsage = () => ({ residentBytes: 1, cpuMs: (cpuMs += msPerLook) })
    const { slot } = await start(aWorker("setTimeout(() => step(end('done')), 150)"), {
      readUsage,
      canYield: () => canYield,
    })
    const end = runOn(slot)
    for (let look = 0; look < 3; look += 1) slot.watch()
    return { slot, end }
  }

  test('goes behind everybody who has to answer, and its worker comes back for the next', async ({ skip }) => {
    const { slot, end } = await computing(50, true)
    expect(getPriority(slot.pid)).toBeGreaterThan(getPriority())
    await end
    skip(!canReturn(slot.pid), 'the system lets nobody come back')
    expect(getPriority(slot.pid)).toBe(getPriority())
  })

  test.each([
    ['where its worker could not come back', 50, false],
    ['not before it has', 10, true],
  ])('stays where it is %s', async (_when, msPerLook, canYield) => {
    const { slot, end } = await computing(msPerLook, canYield)
    expect(getPriority(slot.pid)).toBe(getPriority())
    expect(await end).toMatchObject({ kind: 'value', value: 'done' })
  })
})
