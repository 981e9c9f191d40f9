import ivm from 'isolated-vm'
import { DEFAULT_LIMITS } from '../../../bridge/isolate/limits.ts'
import { PRELUDE_NAME, loadPrelude } from '../../../bridge/isolate/prelude.ts'
import { programSettings } from '../../../bridge/isolate/run/program-settings.ts'

/** Answers one operation as JSON text. */
export type AnswerText = (operation: unknown) => Promise<string>

const SECTION_MS = 2000

/**
 * An isolate for each program in the caller's own process: only for comparison. It is what the pool of workers must not cost much
 * more than, and why it exists: a program that breaks out, hangs in native code or exhausts memory takes the process along.
 */
export function createInProcessRunner(): (code: string, answer: AnswerText) => Promise<string> {
  const source = loadPrelude()
  return async (code, answer) => {
    const isolate = new ivm.Isolate({ memoryLimit: DEFAULT_LIMITS.memoryMb })
    try {
      return await run(isolate, { source, code, answer })
    } finally {
      isolate.dispose()
    }
  }
}

type Deliver = (nowMs: number, what: number, json: string) => void

interface Entry {
  readonly start: (code: string, settings: string) => void
  readonly deliver: Deliver
}

type Install = (...callbacks: readonly unknown[]) => Entry

interface Program {
  readonly source: string
  readonly code: string
  readonly answer: AnswerText
}

async function run(isolate: ivm.Isolate, program: Program): Promise<string> {
  const context = await isolate.createContext()
  const script = await isolate.compileScript(program.source, { filename: PRELUDE_NAME })
  const install: ivm.Reference<Install> = await script.run(context, { reference: true })
  let deliver: ivm.Reference<Deliver> | undefined
  let finish: (json: string) => void = () => undefined
  let fail: (error: unknown) => void = () => undefined
  const done = new Promise<string>((resolve, reject) => {
    finish = resolve
    fail = reject
  })
  const receive = (json: string): void => {
    const message = JSON.parse(json)
    if (message.k === 'end') finish(json)
    if (message.k !== 'op') return
    const give = async (): Promise<void> => {
      const text = await program.answer(message.op)
      await deliver?.apply(undefined, [Date.now(), message.id * 4 + 1, text], { timeout: SECTION_MS })
    }
    give().catch(fail)
  }
  const callbacks = [new ivm.Callback(receive, { ignored: true }), new ivm.Callback(() => '')]
  const entry = await install.apply(undefined, callbacks, { result: { reference: true } })
  deliver = await entry.get('deliver', { reference: true })
  const start = await entry.get('start', { reference: true })
  await start.apply(undefined, [program.code, programSettings(DEFAULT_LIMITS, { seed: 1, nowMs: Date.now() })], {
    timeout: SECTION_MS,
  })
  return done
}
