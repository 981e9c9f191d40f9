import type { JsonObject } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { CliFailure } from '../cli-failure.ts'
import type { GatewayAnswer } from '../gateway-client.ts'

/** What a route's error, or a call that did not end `ok`, says to a person. */
export function failureOf({ status, body }: GatewayAnswer): CliFailure {
  const error = isJsonObject(body['error']) ? body['error'] : undefined
  const message = textOf(error, 'message') ?? textOf(body, 'message') ?? `the gateway answered ${status}`
  const kind = textOf(body, 'outcome')
  const lines = [kind === undefined ? message : `${kind}: ${message}`, ...problemLines(body['problems'])]
  return new CliFailure(1, lines.join('\n'), { status, ...(error ?? body) })
}

function problemLines(problems: unknown): readonly string[] {
  if (!Array.isArray(problems)) return []
  return problems.filter(isJsonObject).map((problem) => {
    const path = textOf(problem, 'path') || 'arguments'
    const got = textOf(problem, 'got')
    const suggestion = textOf(problem, 'suggestion')
    const end = suggestion === undefined ? '' : `; ${suggestion}`
    return `  ${path}: expected ${textOf(problem, 'expected') ?? 'something else'}${got === undefined ? '' : `, got ${got}`}${end}`
  })
}

export function textOf(object: JsonObject | undefined, key: string): string | undefined {
  const value = object?.[key]
  return typeof value === 'string' ? value : undefined
}
