import type { JsonObject } from '../../../../catalog/json.ts'
import { isJsonObject } from '../../../../catalog/json.ts'
import type { CliDeps } from '../../cli-deps.ts'
import { CliFailure } from '../../cli-failure.ts'
import { createGatewayClient } from '../../gateway-client.ts'
import { createOutput, harmless, readable } from '../../output.ts'
import { decisionLines, failureOf, textOf } from '../failed-answer.ts'
import type { GatewayFlags } from '../gateway-options.ts'
import { readProgram } from './read-program.ts'

export interface AskedRun {
  readonly file: string
  readonly flags: GatewayFlags
  readonly deps: CliDeps
}

/** The value goes to stdout, the program's log and what was noticed to stderr. */
export async function runProgram({ file, flags, deps }: AskedRun): Promise<void> {
  const output = createOutput(deps)
  const { agent, session } = flags
  const code = await readProgram(file, deps)
  const answer = await createGatewayClient(flags.stateDir, deps).request({
    method: 'POST',
    path: '/v1/runs',
    body: { code, ...(agent !== undefined && { agent }), ...(session !== undefined && { session }) },
  })
  if (answer.status !== 200) throw failureOf(answer)
  const run = answer.body
  if (flags.json) output.json(run)
  else for (const line of logLines(run)) output.note(line)
  if (run['status'] !== 'completed') throw runFailure(run, file)
  if (!flags.json) output.line(harmless(readable(run['value'] ?? null)))
}

function logLines(run: JsonObject): readonly string[] {
  const list = (key: string): readonly JsonObject[] => {
    const value = run[key]
    return Array.isArray(value) ? value.filter((each): each is JsonObject => isJsonObject(each)) : []
  }
  const logs = list('logs').map((entry) => `[${textOf(entry, 'level')}] ${harmless(textOf(entry, 'text') ?? '')}`)
  const notices = list('notices').map((notice) => `note: ${harmless(textOf(notice, 'message') ?? '')}`)
  return [...logs, ...notices]
}

/** `file:3:7: program-error: …`, as editors and people follow. */
function runFailure(run: JsonObject, file: string): CliFailure {
  const error = isJsonObject(run['error']) ? run['error'] : {}
  const { line, column } = error
  const place = typeof line === 'number' ? `${file}:${line}${typeof column === 'number' ? `:${column}` : ''}: ` : ''
  const hint = textOf(error, 'hint')
  const status = textOf(run, 'status') ?? 'unknown'
  if (status === 'waiting') return new CliFailure(1, waitingText(run), { run: run['id'] ?? null })
  const message = `${place}${textOf(error, 'code') ?? status}: ${textOf(error, 'message') ?? `the run ended ${status}`}`
  // A message for a model often carries its hint already.
  const isSaid = hint === undefined || message.includes(hint)
  return new CliFailure(1, isSaid ? message : `${message}\n${hint}`, { run: run['id'] ?? null, ...error })
}

/** It goes on by itself once it is decided; its id is what it is found by. */
function waitingText(run: JsonObject): string {
  const lines = decisionLines(run)
  const id = textOf(run, 'id') ?? ''
  const count = lines.length === 1 ? 'an approval' : `${lines.length} approvals`
  const until = `run ${id} waits for ${count} and goes on by itself; look at it with: drawbridge runs show ${id}`
  return [until, ...lines].join('\n')
}
