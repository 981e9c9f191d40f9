import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { CliFailure } from '../cli-failure.ts'
import type { GatewayAnswer } from '../gateway-client.ts'

/** What a route's error, or a call that did not end `ok`, says to a person. */
export function failureOf({ status, body }: GatewayAnswer): CliFailure {
  const error = isJsonObject(body['error']) ? body['error'] : undefined
  const message = textOf(error, 'message') ?? textOf(body, 'message') ?? `the gateway answered ${status}`
  const kind = textOf(body, 'outcome')
  const lines = [kind === undefined ? message : `${kind}: ${message}`, ...decisionLines(body)]
  return new CliFailure(1, lines.join('\n'), { status, ...(error ?? body) })
}

/** How each approval is decided for which a call or a run waits. */
export function decisionLines(body: JsonObject): readonly string[] {
  const ids = objectsOf(body['pending']).flatMap((each) => textOf(each, 'approval') ?? [])
  return ids.map((id) => `decide it with: drawbridge approvals resolve ${id} allow-once|deny`)
}

export function textOf(object: JsonObject | undefined, key: string): string | undefined {
  const value = object?.[key]
  return typeof value === 'string' ? value : undefined
}

export function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((each): each is JsonObject => isJsonObject(each)) : []
}

export function textsOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}
