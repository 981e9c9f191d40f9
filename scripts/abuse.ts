import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { AbuseGateway } from './abuse/abuse-gateway.ts'
import { startAbuseGateway } from './abuse/abuse-gateway.ts'
import type { Expectation } from './abuse/judge.ts'
import { faultsOf } from './abuse/judge.ts'
import { leaveOnSignal } from './hosting/leave-on-signal.ts'
import { tellUsage, UsageError } from './hosting/usage-error.ts'

interface AbuseProgram {
  readonly id: string
  readonly code: string
  readonly expect: Expectation
}

interface Verdict {
  readonly id: string
  readonly pass: boolean
  readonly status: string
  readonly code: string | null
  readonly value?: unknown
  readonly ms: number
  /** `kept` for further runs or `retired`; `none` where nothing was run. */
  readonly worker: string
  readonly gatewayOk: boolean
  readonly faults?: readonly string[]
}

leaveOnSignal()

const USAGE = 'npm run abuse -- --file F.jsonl [--file …] [--only ID] [--json]'

await abuse().catch((error: unknown) => tellUsage(error, 'abuse'))

async function abuse(): Promise<void> {
  const { values } = parseArgs({
    options: {
      file: { type: 'string', multiple: true },
      only: { type: 'string' },
      json: { type: 'boolean' },
    },
  })
  if (values.file === undefined) throw new UsageError(`no --file; ${USAGE}`)
  const programs = (await Promise.all(values.file.map(readPrograms))).flat()
  const wanted = programs.filter((program) => values.only === undefined || program.id === values.only)
  if (wanted.length === 0) throw new UsageError(`no program is called "${values.only ?? ''}" there`)
  const gateway = await startAbuseGateway()
  let failed = 0
  try {
    for (const program of wanted) {
      const verdict = await tryProgram(gateway, program)
      if (!verdict.pass) failed += 1
      process.stdout.write(values.json === true ? `${JSON.stringify(verdict)}\n` : lineOf(verdict))
    }
  } finally {
    await gateway.close()
  }
  process.stderr.write(`${wanted.length - failed} passed, ${failed} failed\n`)
  process.exitCode = failed === 0 ? 0 : 1
}

async function readPrograms(file: string): Promise<readonly AbuseProgram[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`"${file}" cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  })
  const lines = text.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : [{ line, number: at + 1 }]))
  return lines.map(({ line, number }) => readProgram(line, `${file}:${number}`))
}

function readProgram(line: string, place: string): AbuseProgram {
  try {
    const program: AbuseProgram = JSON.parse(line)
    return program
  } catch {
    throw new UsageError(`${place} is no line of JSON; expected { "id", "code", "expect" }`)
  }
}

/** Runs it as often as its line says, another tenant's program beside it and after it; the first bad run decides. */
async function tryProgram(gateway: AbuseGateway, program: AbuseProgram): Promise<Verdict> {
  let verdict = await tryOnce(gateway, program)
  for (let turn = 1; turn < (program.expect.repeat ?? 1) && verdict.pass; turn += 1) {
    verdict = await tryOnce(gateway, program)
  }
  return verdict
}

async function tryOnce(gateway: AbuseGateway, { id, code, expect }: AbuseProgram): Promise<Verdict> {
  const startedMs = performance.now()
  const running = gateway.run(code).then(
    (run) => ({ run, ms: performance.now() - startedMs }),
    (error: unknown) => ({
      error: error instanceof Error ? error.message : String(error),
      ms: performance.now() - startedMs,
    }),
  )
  const wellMeanwhile = await gateway.isWell()
  const ended = await running
  const gatewayOk = wellMeanwhile && (await gateway.isWell())
  const ms = Math.round(ended.ms)
  if ('error' in ended) {
    return { id, pass: false, status: 'refused', code: null, ms, worker: 'none', gatewayOk, faults: [ended.error] }
  }
  const { run } = ended
  const faults = faultsOf({ run, ms, expect, wallMs: gateway.wallMs })
  return {
    id,
    pass: faults.length === 0 && gatewayOk,
    status: run.status,
    code: run.status === 'failed' ? run.error.code : null,
    ...(run.status === 'completed' && { value: run.value }),
    ms,
    worker: run.telemetry.worker,
    gatewayOk,
    ...(faults.length > 0 && { faults }),
  }
}

function lineOf({ id, pass, status, code, ms, worker, gatewayOk, faults = [] }: Verdict): string {
  const end = code ?? status
  const rest = [`${ms} ms`, `worker ${worker}`, ...(gatewayOk ? [] : ['GATEWAY NOT WELL']), ...faults]
  return `${pass ? 'pass' : 'FAIL'}  ${id.padEnd(44)} ${end.padEnd(14)} ${rest.join('; ')}\n`
}
