import type { JsonValue } from '../../../catalog/json.ts'
import { parseDocument } from '../../config/document/parse-document.ts'

export type ReadValue =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'invalid'; readonly message: string }

/** A value as people type it: JSON5 where it is that, else the plain text; strictly: JSON. */
export function readValue(text: string, { isStrict }: { readonly isStrict: boolean }): ReadValue {
  const strictly = isStrict ? problemOfJson(text) : undefined
  if (strictly !== undefined) return { kind: 'invalid', message: strictly }
  if (text.trim() === '') return { kind: 'value', value: text }
  const parsed = parseDocument(text)
  if (parsed.kind === 'document') return { kind: 'value', value: parsed.document.value }
  // It was meant as JSON5 and is broken: as plain text it would only be refused later, and less clearly.
  if (/^\s*[[{]/.test(text)) {
    const [problem] = parsed.problems
    return { kind: 'invalid', message: `the value ${problem?.message ?? 'cannot be read'}; quote it to mean the text` }
  }
  return { kind: 'value', value: text }
}

function problemOfJson(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return `the value is not JSON (${reason}); leave out --strict-json to mean the text`
  }
}
