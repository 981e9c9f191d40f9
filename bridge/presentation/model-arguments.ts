import type { JsonValue } from '../../catalog/json.ts'
import type { ModelCall, ModelResult } from './presentation.ts'

export type ModelArguments =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'problem'; readonly message: string }

/** Parses a model's arguments once. No text at all means no arguments, as several providers send it. */
export function readArguments(call: ModelCall, example: string): ModelArguments {
  if (call.arguments.trim() === '') return { kind: 'value', value: {} }
  try {
    const value: JsonValue = JSON.parse(call.arguments)
    return { kind: 'value', value }
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message.slice(0, 200) : 'it cannot be parsed'
    return {
      kind: 'problem',
      message: `the arguments of ${call.name} are not JSON: ${reason}; nothing was run, send them again like ${example}`,
    }
  }
}

/** A result that called no tool. */
export function errorResult(
  message: string,
  asked: { readonly searches: number; readonly describes: number } = { searches: 0, describes: 0 },
): ModelResult {
  return { kind: 'result', text: JSON.stringify({ error: message }), isError: true, ...asked, calls: [] }
}
